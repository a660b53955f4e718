/** docs/NETWORK.md against the programs that it configures: units and settings are what those would read. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { localnetFolder } from '../../scripts/localnet/folder.ts';
import { choosePorts, partStates } from '../../scripts/localnet/parts.ts';
import { ABCI_LISTEN_DEFAULT } from '../../server/app/app-config.ts';
import { nodeConfig, type NodeWishes } from '../../server/cli/validator/node-settings.ts';
import { statesyncSettings } from '../../server/cli/validator/statesync.ts';
import { setToml } from '../../server/engine/cometbft/home/toml.ts';
import { readConfig } from '../../server/app/config.ts';
import { describeFaults } from '../../server/app/config-reader.ts';
import { APP_VARIABLES } from '../../server/app/engine-config.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { codes, documentText, table } from './support/tables.ts';

const PAGE = 'docs/NETWORK.md';

afterAll(removeTemporaryFolders);

const fences = (language: string): string[] =>
  [...documentText(PAGE).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );

const units = new Map(
  fences('ini').map((unit) => [
    /^# \/etc\/systemd\/system\/(\S+)$/m.exec(unit)?.[1] ?? '',
    {
      unit,
      variables: Object.fromEntries(
        [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) =>
          line.split(' ').map((pair) => pair.split('=', 2) as [string, string]),
        ),
      ),
    },
  ]),
);

describe('the settings of a node', () => {
  const PEER = `${'a'.repeat(40)}@10.0.0.12:26656`;
  const wishes: NodeWishes = {
    role: 'validator',
    peers: [PEER],
    seeds: [],
    hidden: ['b'.repeat(40)],
    externalAddress: '',
    app: ABCI_LISTEN_DEFAULT,
    rpc: '',
    p2p: '',
    isPrivateNetwork: true,
    isSameHost: true,
    prometheus: false,
  };
  const told = table(PAGE, '| Setting of `[p2p]` | Validator | Sentry | Why |');

  test('of peers are all that the command sets, with the values that the page tells', () => {
    const [validator, sentry] = (['validator', 'sentry'] as const).map(
      (role) => nodeConfig({ ...wishes, role })['p2p'] ?? {},
    ) as [Record<string, unknown>, Record<string, unknown>];
    const names = told.flatMap(([setting]) => codes(setting));
    expect(names.toSorted()).toEqual(
      Object.keys(validator)
        .filter((name) => name !== 'laddr')
        .toSorted(),
    );
    for (const [setting, ofValidator, ofSentry] of told) {
      for (const [i, name] of codes(setting).entries()) {
        // An option in place of a value: what the operator says.
        for (const [cell, settings] of [
          [ofValidator, validator],
          [ofSentry, sentry],
        ] as const) {
          const value = codes(cell)[i];
          if (value !== undefined && !value.startsWith('--'))
            expect([name, String(settings[name])]).toEqual([name, value]);
        }
      }
    }
  });

  /** COMETBFT names the program; without it there is no file to compare with. */
  const COMETBFT = process.env['COMETBFT'] ?? '';
  (existsSync(COMETBFT) ? test : test.skip)('all exist in the file that cometbft init writes', async () => {
    const home = await temporaryFolder('docs');
    expect(spawnSync(COMETBFT, ['init', '--home', home]).status).toBe(0);
    const text = readFileSync(path.join(home, 'config', 'config.toml'), 'utf8');
    expect(() => setToml(text, nodeConfig(wishes))).not.toThrow();
    expect(() => setToml(text, statesyncSettings({ chainId: '', height: 1, hash: '', time: '' }, []))).not.toThrow();
  });
});

describe('the units', () => {
  test('of a node are files that the page names, and that of a gateway is on it', () => {
    for (const file of ['txledger-app.service', 'app.env', 'cometbft.service'])
      expect(documentText(PAGE)).toContain(`](../ops/systemd/${file})`);
    expect([...units.keys()]).toContain('txledger-gateway.service');
  });

  test('give the gateway an environment in which nothing is wrong', async () => {
    const variables = units.get('txledger-gateway.service')?.variables ?? {};
    // What the page says that the file holds.
    const [url = ''] = documentText(PAGE).match(/postgres:\/\/ledger:PASSWORD@[^`]+/) ?? [];
    const file = path.join(await temporaryFolder('docs'), 'database-url');
    writeFileSync(file, `${url}\n`, { mode: 0o600 });
    expect(variables['DATABASE_URL_FILE']).toBeDefined();
    const result = readConfig({ ...variables, DATABASE_URL_FILE: file }, { mode: 'production', cwd: '/' });
    expect(result.ok ? '' : describeFaults(result.faults)).toBe('');
    expect(result).toMatchObject({ ok: true, config: { engine: 'cometbft' } });
  });

  test('give the application what it reads, at the address that its node asks', () => {
    const variables = Object.fromEntries(
      [...readFileSync('ops/systemd/app.env', 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    expect(
      Object.keys(variables).filter(
        (name) => name !== 'DATA_DIR' && !(APP_VARIABLES as readonly string[]).includes(name),
      ),
    ).toEqual([]);
    expect(variables['ABCI_LISTEN']).toBe(ABCI_LISTEN_DEFAULT);
  });

  test('stop a node with its application', () => {
    const unit = readFileSync('ops/systemd/cometbft.service', 'utf8');
    expect(unit).toMatch(/^BindsTo=txledger-app\.service$/m);
    expect(unit).toMatch(/^After=txledger-app\.service /m);
  });
});

describe('localnet.json', () => {
  test('has the members that the page tells of a part, and no other', async () => {
    const parts = partStates(localnetFolder('/d'), await choosePorts(8080, []));
    const told = table(PAGE, '| Member of a part in `localnet.json` | Means |');
    expect(told.flatMap(([member]) => codes(member)).toSorted()).toEqual(Object.keys(parts[0] ?? {}).toSorted());
    const uses = told.find(([member]) => member === '`ports`')?.[1];
    expect(codes(uses).toSorted()).toEqual([...new Set(parts.flatMap(({ ports }) => Object.keys(ports)))].toSorted());
    const names = new Set(codes(told[0]?.[1]));
    expect([...names].filter((name) => !parts.some((part) => part.name === name))).toEqual([]);
  });
});
