/** docs/NETWORK.md against the programs that it configures: units and settings are what those would read. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { localnetFolder } from '../../scripts/localnet/folder.ts';
import { nodeSettings } from '../../scripts/localnet/nodes.ts';
import { choosePorts, partStates } from '../../scripts/localnet/parts.ts';
import { setToml, type TomlSettings, type TomlValue } from '../../scripts/localnet/toml.ts';
import { readConfig } from '../../server/app/config.ts';
import { describeFaults } from '../../server/app/config-reader.ts';
import { APP_VARIABLES } from '../../server/app/engine-config.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { codes, documentText, table } from './support/tables.ts';

const PAGE = 'docs/NETWORK.md';

afterAll(removeTemporaryFolders);

const fences = (language: string): string[] => [...documentText(PAGE).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);

/** The settings that a block of the page tells. */
function settingsOf(block: string): TomlSettings {
  const settings: Record<string, Record<string, TomlValue>> = {};
  let section = '';
  for (const line of block.split('\n').filter(Boolean)) {
    const header = /^\[(.+)\]$/.exec(line)?.[1];
    if (header !== undefined) section = header;
    const [, key, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (key !== undefined) settings[section] = { ...settings[section], [key]: JSON.parse(value ?? '') as TomlValue };
  }
  return settings;
}

const units = new Map(
  fences('ini').map((unit) => [
    /^# \/etc\/systemd\/system\/(\S+)$/m.exec(unit)?.[1] ?? '',
    { unit, variables: Object.fromEntries([...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string]))) },
  ]),
);

describe('the settings of a node', () => {
  const [node = ''] = fences('toml');

  test('are those of the localnet, but for addresses and what only one machine needs', () => {
    const own: readonly string[] = ['proxy_app', 'laddr', 'persistent_peers'];
    const oneMachine: readonly string[] = ['log_level', 'pex', 'addr_book_strict', 'allow_duplicate_ip', 'prometheus'];
    const flat = (settings: TomlSettings): [string, TomlValue][] =>
      Object.entries(settings).flatMap(([section, values]) =>
        Object.entries(values).flatMap(([key, value]): [string, TomlValue][] => (own.includes(key) || oneMachine.includes(key) ? [] : [[`${section}.${key}`, value]])),
      );
    const told = flat(settingsOf(node));
    expect(told.length).toBeGreaterThan(8);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(flat(nodeSettings({ rpc: 1, p2p: 2, abci: 3 }, '', 50_000))));
  });

  /** COMETBFT names the program; without it there is no file to compare with. */
  const COMETBFT = process.env['COMETBFT'] ?? '';
  (existsSync(COMETBFT) ? test : test.skip)('all exist in the file that cometbft init writes', async () => {
    const home = await temporaryFolder('docs');
    expect(spawnSync(COMETBFT, ['init', '--home', home]).status).toBe(0);
    const text = readFileSync(path.join(home, 'config', 'config.toml'), 'utf8');
    const blocks = fences('toml');
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(() => setToml(text, settingsOf(block))).not.toThrow();
  });
});

describe('the units', () => {
  test('are an application, its node and a gateway', () => {
    expect([...units.keys()]).toEqual(['txledger-app.service', 'cometbft.service', 'txledger-gateway.service']);
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
    const variables = units.get('txledger-app.service')?.variables ?? {};
    expect(Object.keys(variables).filter((name) => name !== 'DATA_DIR' && !(APP_VARIABLES as readonly string[]).includes(name))).toEqual([]);
    expect(variables['ABCI_LISTEN']).toBe(settingsOf(fences('toml')[0] ?? '')['']?.['proxy_app']);
  });

  test('stop a node with its application', () => {
    expect(units.get('cometbft.service')?.unit).toMatch(/^BindsTo=txledger-app\.service\nAfter=txledger-app\.service /m);
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
