import path from 'node:path';
import { operatorKeyOf } from '../../../server/app/operator-key.ts';
import { freePort, txledger } from './server.ts';

/** Runs `txledger` and fails with its words when it does. @returns the first line that it printed. */
export async function succeeds(args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await txledger(args, variables);
  if (code !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout.trim().split('\n')[0] ?? '';
}

export const payer = {
  seed: new Uint8Array(32).fill(21),
  address: operatorKeyOf(new Uint8Array(32).fill(21), 'txl').address,
};

/** Makes what a gateway of a chain with two validators needs. @returns its variables; nobody listens at the address of its node. */
export async function gatewayFiles(folder: string, chainId: string): Promise<Record<string, string>> {
  const file = (name: string): string => path.join(folder, name);
  const operator = await succeeds(['operator-key', 'create', '--out', file('operator.json')]);
  await succeeds(['validator-key', 'create', '--out', file('v1.json')]);
  const governor = await succeeds(['governor-key', 'create', '--out', file('governor.json')]);
  const second = await succeeds(['validator-key', 'create', '--out', file('v2.json')]);
  await succeeds([
    ...[
      'genesis',
      'create',
      '--chain-id',
      chainId,
      '--validator-key',
      file('v1.json'),
      '--validator',
      `${second}=10`,
      '--canceller',
      operator,
    ],
    ...['--governor', governor, '--currency', 'EUR:2'],
    ...['--account', `${payer.address}=1000`, '--out', file('genesis.json')],
  ]);
  return {
    ...{ ENGINE: 'cometbft', COMETBFT_RPC_URL: `http://127.0.0.1:${await freePort()}` },
    ...{ GENESIS_FILE: file('genesis.json'), OPERATOR_KEY_FILE: file('operator.json') },
  };
}
