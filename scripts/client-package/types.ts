/**
 * Checks that the types work for users: with every minor version of TypeScript from 5.0 on and the native one, under each module
 * resolution, strict, and with every declaration checked (`skipLibCheck: false`).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installed, PACKAGE, run } from './installed.ts';
import { installTools, table } from './tools.ts';

const PROGRAM = `import { createClient, generateSeed, parseAddress, sendTransfer, signerFromSeed, waitForTransaction, type LedgerError } from '${PACKAGE}';
export async function main(): Promise<number | undefined> {
  const client = createClient({ baseUrl: 'http://127.0.0.1', token: 'x', maxRetries: 1, onResponse: ({ requestId }) => void requestId?.length });
  const { transaction } = await sendTransfer(client, { signer: await signerFromSeed(''), to: '', amount: BigInt(1) });
  // @ts-expect-error amounts are bigint
  await sendTransfer(client, { signer: await signerFromSeed(''), to: '', amount: 1 });
  const result = await waitForTransaction(client, { txHash: transaction.txHash });
  const hashOf = (error: LedgerError) => (error.name === 'UnknownOutcomeError' ? error.txHash.length : undefined);
  return result.outcome === 'committed' ? result.transaction.height : hashOf(new Error() as LedgerError);
}
// What WebCrypto takes: compilers that tell kinds of buffers apart must see the right one.
export const digest = (): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', generateSeed());
const parsed = parseAddress('', 'txl');
if (parsed.ok) crypto.subtle.importKey('raw', parsed.publicKey, 'Ed25519', false, ['verify']);
`;

const TESTING = `import { createTestLedger } from '${PACKAGE}/testing';
import { createClient } from '${PACKAGE}';
const ledger = createTestLedger({ accounts: { alice: BigInt(1) } });
export const client = createClient(ledger.clientOptions);
export const height: number = ledger.commit().height;
// @ts-expect-error nobody of this name has an account
ledger.accounts.bob;
`;

const SETTINGS = [
  { extensions: ['mts', 'cts'], module: 'nodenext', moduleResolution: 'nodenext' },
  { extensions: ['mts', 'cts'], module: 'node16', moduleResolution: 'node16' },
  { extensions: ['ts'], module: 'esnext', moduleResolution: 'bundler' },
];

export async function checkTypes({ folder }: Installed, scratch: string): Promise<string> {
  const tools = await installTools('typescript', scratch);
  const { dependencies } = JSON.parse(readFileSync(join(tools, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const rows: [string, string][] = [];
  for (const name of Object.keys(dependencies)) {
    const compiler = join(tools, 'node_modules', name, 'bin/tsc');
    const { stdout: version } = await run(process.execPath, [compiler, '--version']);
    const complaints: string[] = [];
    for (const { extensions, module, moduleResolution } of SETTINGS) {
      for (const extension of extensions) {
        writeFileSync(join(folder, `types.${extension}`), PROGRAM);
        writeFileSync(join(folder, `testing.${extension}`), TESTING);
      }
      // The oldest target and libraries that a user may compile with.
      const compilerOptions = {
        noEmit: true,
        strict: true,
        skipLibCheck: false,
        target: 'es2020',
        lib: ['es2020', 'dom'],
        types: [],
        module,
        moduleResolution,
      };
      const files = extensions.flatMap((extension) => [`types.${extension}`, `testing.${extension}`]);
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const { stdout } = await run(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      );
      complaints.push(
        ...stdout
          .split('\n')
          .filter((line) => line.includes('error TS'))
          .map((line) => `${module}: ${line}`),
      );
    }
    rows.push([
      version.trim().replace('Version', 'TypeScript'),
      complaints.length === 0 ? '0 errors' : `${complaints.length} ERRORS, the first under ${complaints[0]}`,
    ]);
  }
  const report = table(rows);
  if (report.includes('ERRORS')) throw new Error(report);
  return report;
}
