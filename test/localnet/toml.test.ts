import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { nodeSettings } from '../../scripts/localnet/nodes.ts';
import { setToml } from '../../server/engine/cometbft/home/toml.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';

afterAll(removeTemporaryFolders);

const TEXT = [
  '# of nobody',
  'size = 1',
  '',
  '[rpc]',
  'laddr = "tcp://127.0.0.1:26657" # kept by nobody',
  '# size = 3',
  'size = 2',
  '',
  '[mempool]',
  'keep-invalid = false',
  'size = 5000',
].join('\n');

describe('settings of a config.toml', () => {
  test('are changed in their section only, and every other line stays as it is', () => {
    expect(setToml(TEXT, { mempool: { size: 100, 'keep-invalid': true }, rpc: { laddr: 'tcp://127.0.0.1:1' } })).toBe(
      TEXT.replace('laddr = "tcp://127.0.0.1:26657" # kept by nobody', 'laddr = "tcp://127.0.0.1:1"')
        .replace('size = 5000', 'size = 100')
        .replace('keep-invalid = false', 'keep-invalid = true'),
    );
    expect(setToml(TEXT, { '': { size: 7 } })).toBe(TEXT.replace('size = 1', 'size = 7'));
  });

  test('that are not there are an error that names them all, and so is one in another section or in a comment', () => {
    expect(() => setToml(TEXT, { mempool: { laddr: 'x', sise: 1 }, p2p: { pex: false } })).toThrow(
      'config.toml has no mempool.laddr, mempool.sise, p2p.pex',
    );
  });

  test('that are there twice are an error', () => {
    expect(() => setToml(`${TEXT}\nsize = 9`, { mempool: { size: 100 } })).toThrow(
      'config.toml has mempool.size twice',
    );
  });

  test('are written again to the same text', () => {
    const settings = { rpc: { laddr: 'tcp://127.0.0.1:1' } };
    const once = setToml(TEXT, settings);
    expect(setToml(once, settings)).toBe(once);
  });
});

/** COMETBFT names the program; without it there is no file to change. */
const COMETBFT = process.env['COMETBFT'] ?? '';
const suite = existsSync(COMETBFT) ? describe : describe.skip;

suite('the settings of a node', () => {
  test('are all known to cometbft v0.38.26, each in its section', async () => {
    const home = await temporaryFolder('localnet');
    expect(spawnSync(COMETBFT, ['init', '--home', home]).status).toBe(0);
    const text = readFileSync(path.join(home, 'config', 'config.toml'), 'utf8');
    const changed = setToml(text, nodeSettings({ rpc: 1, p2p: 2, abci: 3 }, 'a@127.0.0.1:4', 100));
    expect(changed).toContain('\nladdr = "tcp://127.0.0.1:1"\n');
    expect(changed).toContain('\ntimeout_commit = "300ms"\n');
    expect(changed).toContain('\nsend_rate = 20000000\n');
    expect(changed).toContain('\nrecv_rate = 20000000\n');
    expect(changed).toContain('\ndouble_sign_check_height = 0\n');
    expect(changed.split('\n')).toHaveLength(text.split('\n').length);
  });
});
