/** Whether the types work for users: under each way in which TypeScript finds packages, strict, and without skipping library checks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { type Installed, PACKAGE, run } from './installed.ts';

const PROGRAM = `import { createClient, sendTransfer, signerFromSeed, waitForTransaction, type LedgerError } from '${PACKAGE}';
export async function main(): Promise<number | undefined> {
  const client = createClient({ baseUrl: 'http://127.0.0.1', token: 'x' });
  const { transaction } = await sendTransfer(client, { signer: await signerFromSeed(''), to: '', amount: 1n });
  // @ts-expect-error amounts are bigint
  await sendTransfer(client, { signer: await signerFromSeed(''), to: '', amount: 1 });
  const result = await waitForTransaction(client, { txHash: transaction.txHash });
  const hashOf = (error: LedgerError) => (error.name === 'UnknownOutcomeError' ? error.txHash.length : undefined);
  return result.outcome === 'committed' ? result.transaction.height : hashOf(new Error() as LedgerError);
}
`;

const SETTINGS = [
  { file: 'types.mts', module: 'nodenext', moduleResolution: 'nodenext' },
  { file: 'types.cts', module: 'nodenext', moduleResolution: 'nodenext' },
  { file: 'types.ts', module: 'esnext', moduleResolution: 'bundler' },
];

export async function checkTypes({ folder }: Installed): Promise<string> {
  for (const { file, module, moduleResolution } of SETTINGS) {
    writeFileSync(join(folder, file), PROGRAM);
    const compilerOptions = { noEmit: true, strict: true, target: 'es2022', lib: ['es2022', 'dom'], types: [], module, moduleResolution };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], { cwd: folder }).catch(({ stdout }: { stdout: string }) => {
      throw new Error(`types in ${file}: ${stdout}`);
    });
  }
  return SETTINGS.map(({ file }) => file).join(', ');
}
