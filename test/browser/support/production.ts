/** A production server for the checks: `serve` on a chain of its own, with tokens that its operator made. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { payer, succeeds } from '../../e2e/support/gateway-files.ts';
import { freePort, Server } from '../../e2e/support/server.ts';

export interface Production {
  readonly server: Server;
  /** The address of an account with money. */
  readonly payer: string;
  readonly tokens: { readonly reader: string; readonly writer: string };
  revoke(token: string): Promise<void>;
}

const CHAIN_ID = 'acme-1';

/** Runs `use` on `txledger serve` with these variables besides those that it needs. */
export async function withProduction(
  variables: Record<string, string>,
  use: (production: Production) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-browser-production-'));
  const dataDir = join(folder, 'data');
  const file = (name: string): string => join(folder, `${name}.json`);
  const files = {
    GENESIS_FILE: file('genesis'),
    VALIDATOR_KEY_FILE: file('validator'),
    OPERATOR_KEY_FILE: file('operator'),
  };
  const token = (...scopes: string[]): Promise<string> =>
    succeeds(['token', 'create', '--owner', 'acme', ...scopes.flatMap((scope) => ['--scope', scope])], {
      DATA_DIR: dataDir,
    });
  let server: Server | undefined;
  try {
    const [operator, governor] = await Promise.all([
      succeeds(['operator-key', 'create', '--out', files.OPERATOR_KEY_FILE]),
      succeeds(['governor-key', 'create', '--out', file('governor')]),
      succeeds(['validator-key', 'create', '--out', files.VALIDATOR_KEY_FILE]),
    ]);
    const roles = ['--validator-key', files.VALIDATOR_KEY_FILE, '--canceller', operator, '--governor', governor];
    await succeeds([
      'genesis',
      'create',
      '--chain-id',
      CHAIN_ID,
      ...roles,
      '--currency',
      'EUR:2',
      '--account',
      `${payer.address}=123456`,
      '--out',
      files.GENESIS_FILE,
    ]);
    const tokens = { reader: await token('transactions:read'), writer: await token('transactions:write') };
    server = new Server({
      command: 'serve',
      dataDir,
      port: await freePort(),
      variables: { ...files, BLOCK_INTERVAL_MS: '500', LOG_LEVEL: 'error', ...variables },
    });
    await server.start();
    const revoke = async (token: string): Promise<void> =>
      void (await succeeds(['token', 'revoke', token.split('_')[1] ?? ''], { DATA_DIR: dataDir }));
    await use({ server, payer: payer.address, tokens, revoke });
  } finally {
    await server?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
