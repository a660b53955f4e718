import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';

export interface SignedBody {
  from: string;
  to: string;
  amount: string;
  nonce: number;
  reference?: string;
  validUntil?: number;
  signature: string;
  txHash: string;
}

export interface PythonSigner {
  address(seed: string, hrp: string): Promise<string>;
  sign(
    seed: string,
    transfer: {
      chainId: string;
      from: string;
      to: string;
      amount: string;
      nonce: number;
      reference?: string;
      validUntil?: number;
    },
  ): Promise<SignedBody>;
  end(): void;
}

/** Starts test/e2e/signer.py and talks to it, one line a question. */
export function startPythonSigner(): PythonSigner {
  const child: ChildProcess = spawn('python3', [path.join(ROOT, 'test/e2e/signer.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('python3 has no pipes');
  const waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void }[] = [];
  createInterface({ input: stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)));
  const fail = (error: Error): void => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  child.on('error', (error) => fail(new Error(`python3 cannot be run: ${error.message}`)));
  child.on('exit', (code) => fail(new Error(`signer.py ended with ${code}; it needs the Python package cryptography`)));
  const ask = (question: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      stdin.write(`${JSON.stringify(question)}\n`);
    });
  return {
    address: async (seed, hrp) => ((await ask({ seed, hrp })) as { address: string }).address,
    sign: async (seed, transfer) => (await ask({ seed, ...transfer })) as SignedBody,
    end: () => stdin.end(),
  };
}
