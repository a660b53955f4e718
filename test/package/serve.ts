/** `txledger serve` with keys and genesis that the package's own commands made. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { call } from '../e2e/support/server.ts';
import { expect, prints, serverOf, type Installed } from './installed.ts';

const CHAIN_ID = 'acme-1';

export async function checkServe(installed: Installed): Promise<string> {
  const folder = path.join(installed.scratch, 'serve');
  mkdirSync(folder);
  const file = (name: string): string => path.join(folder, `${name}.json`);
  const key = (kind: string, name: string): Promise<string> =>
    prints(installed, [`${kind}-key`, 'create', '--out', file(name)]);
  const operator = await key('operator', 'operator');
  const governor = await key('governor', 'governor');
  const treasury = await key('operator', 'treasury');
  await key('validator', 'validator');
  await prints(installed, [
    ...[
      'genesis',
      'create',
      '--chain-id',
      CHAIN_ID,
      '--validator-key',
      file('validator'),
      '--canceller',
      operator,
      '--governor',
      governor,
    ],
    ...['--currency', 'EUR:2', '--account', `${treasury}=1000`, '--out', file('genesis')],
  ]);
  const dataDir = path.join(folder, 'data');
  const variables = {
    GENESIS_FILE: file('genesis'),
    VALIDATOR_KEY_FILE: file('validator'),
    OPERATOR_KEY_FILE: file('operator'),
  };
  const token = await prints(installed, ['token', 'create', '--owner', 'acme', '--scope', 'transactions:read'], {
    DATA_DIR: dataDir,
    ...variables,
  });
  const server = await serverOf(installed, dataDir, { command: 'serve', variables });
  try {
    await server.start();
    const { status, body } = await call(`${server.baseUrl}/accounts/${treasury}`, { token });
    expect(status === 200 && body.balance === '1000', `the treasury: ${status} ${JSON.stringify(body)}`);
    expect((await call(`${server.baseUrl}/accounts/${treasury}`)).status === 401, 'it answers without a token');
    expect((await server.stop()) === 0, `it did not end in good order: ${server.output}`);
  } finally {
    await server.stop('SIGKILL');
  }
  return 'keys, genesis and token by its own commands; an account read with the token, none without';
}
