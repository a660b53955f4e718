/** `txledger validator backup`, `restore` and `new-key`: a key never comes to sign a height twice by them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { giveToOwner } from '../../../server/cli/validator/home.ts';
import { addressOf } from '../../../server/cli/validator/plan.ts';
import { formatValidatorKey } from '../../../server/engine/validator-key.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../app/support.ts';
import { TEST_CHAIN_ID, validatorKey, validatorSeed } from '../../ledger/support.ts';
import { run } from '../support.ts';
import { ScriptedNetwork } from './scripted-network.ts';

/** Not one of the chain's validators: what it signed is what a test says. */
const LOST = 7;
const SIGNED = 40;
/** Where root runs the tests. */
const OTHER_USER = 65_534;

/** With the state sync by which the node began once. */
const CONFIG = [
  'proxy_app = "tcp://127.0.0.1:26658"',
  '[blocksync]',
  'enable = true',
  '[statesync]',
  'enable = true # at the first start',
  'rpc_servers = "http://10.0.0.11:26657,http://10.0.0.12:26657"',
  'trust_height = 17',
  'trust_hash = "AB"',
  '[instrumentation]',
  'enable = true',
].join('\n');

let net: ScriptedNetwork;
let folder: string;
let home: string;

beforeEach(async () => {
  net = new ScriptedNetwork([10, 10, 10, 10]);
  await net.listen();
  folder = await temporaryFolder('validator-home');
  home = makeHome('home', LOST);
});
afterEach(() => net.close());
afterAll(removeTemporaryFolders);

const inFolder = (name: string): string => path.join(folder, name);
const stateOf = (of: string): string => path.join(of, 'data/priv_validator_state.json');
const configOf = (of: string): string => path.join(of, 'config/config.toml');
const signState = (height: number): string => `${JSON.stringify({ height: String(height), round: 0, step: 3 })}\n`;
const heightIn = (of: string): number =>
  Number((JSON.parse(readFileSync(stateOf(of), 'utf8')) as { height: string }).height);

function makeHome(name: string, validator: number): string {
  const made = inFolder(name);
  for (const part of ['config', 'data/blockstore.db']) mkdirSync(path.join(made, part), { recursive: true });
  const files = {
    'config/config.toml': CONFIG,
    'config/genesis.json': JSON.stringify({ chain_id: TEST_CHAIN_ID }),
    'config/node_key.json': '{}',
    'config/priv_validator_key.json': formatValidatorKey(validatorSeed(validator)),
    'data/priv_validator_state.json': signState(SIGNED),
    'data/blockstore.db/LOCK': '',
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(made, file), content, { mode: 0o600 });
  return made;
}

async function validator(...args: string[]): Promise<{ code: number | null; document: any }> {
  const { code, stdout, stderr } = await run(['validator', ...args, '--json'], {
    variables: { TXLEDGER_URL: net.url },
  });
  if (stdout === '') throw new Error(stderr);
  const document = JSON.parse(stdout);
  return { code, document: document.error ?? document };
}

const backup = (name = 'backup') => validator('backup', '--home', home, '--out', inFolder(name));
const restore = (...more: string[]) =>
  validator(
    'restore',
    inFolder('backup'),
    '--home',
    inFolder('restored'),
    '--chain',
    net.node('other', { publicKey: validatorKey(0) }),
    ...more,
  );

/** What a running node does to its store of blocks. */
async function whileRunning(work: () => Promise<void>): Promise<void> {
  const child = spawn('flock', [path.join(home, 'data/blockstore.db/LOCK'), 'sh', '-c', 'echo locked; read -r _'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    await work();
  } finally {
    child.stdin.end();
    await once(child, 'close');
  }
}

describe('backup', () => {
  test('is refused while the node runs', async () => {
    await whileRunning(async () => expect((await backup()).document.code).toBe('node_running'));
    expect(existsSync(inFolder('backup'))).toBe(false);
    expect((await backup()).code).toBe(0);
  });

  test('is refused without the sign state, and with one that says nothing', async () => {
    writeFileSync(stateOf(home), '{}');
    expect((await backup()).document.code).toBe('no_sign_state');
    rmSync(stateOf(home));
    expect((await backup()).document.code).toBe('no_sign_state');
  });

  test('is refused, and a restore too, where others could put another folder in its place', async () => {
    await backup();
    chmodSync(folder, 0o777);
    try {
      expect((await backup('second')).document.message).toMatch(/^Others can write the folder /);
      expect((await restore()).document.message).toMatch(/^Others can write the folder /);
      expect([existsSync(inFolder('second')), existsSync(inFolder('restored'))]).toEqual([false, false]);
    } finally {
      chmodSync(folder, 0o700);
    }
  });

  test('keeps the files for their owner alone, and never writes over anything', async () => {
    expect((await backup()).document).toMatchObject({
      chainId: TEST_CHAIN_ID,
      address: addressOf(validatorKey(LOST)),
      signed: { height: SIGNED },
    });
    expect(() => chmodSync(inFolder('backup/config/priv_validator_key.json'), 0o600)).not.toThrow();
    expect((await backup()).document.message).toMatch(/not empty/);
  });
});

describe('restore', () => {
  beforeEach(async () => {
    await backup();
  });

  test('makes the home again where the chain shows no later signature', async () => {
    net.alsoSigned.set(SIGNED, addressOf(validatorKey(LOST)));
    expect((await restore()).code).toBe(0);
    expect(readFileSync(stateOf(inFolder('restored')), 'utf8')).toBe(signState(SIGNED));
    expect((await restore()).document.message).toMatch(/not empty/);
  });

  test('turns off the state sync of the past, says so, and leaves every other setting as it was', async () => {
    expect((await restore()).document.statesyncTurnedOff).toBe(true);
    expect(readFileSync(configOf(inFolder('restored')), 'utf8')).toBe(
      CONFIG.replace('enable = true # at', 'enable = false # at'),
    );
  });

  test.each(['moniker = "a"\n', '[blocksync]\nenable = true\n[statesync]\nenable = false\ntrust_height = 17\n'])(
    'takes a configuration without state sync as it is: %j',
    async (config) => {
      writeFileSync(configOf(inFolder('backup')), config);
      expect((await restore()).document.statesyncTurnedOff).toBe(false);
      expect(readFileSync(configOf(inFolder('restored')), 'utf8')).toBe(config);
    },
  );

  test.each([SIGNED + 1, 71, 88])('is refused where the chain shows a signature at %i', async (height) => {
    net.alsoSigned.set(height, addressOf(validatorKey(LOST)));
    const { code, document } = await restore();
    expect([code, document.code, document.height]).toEqual([3, 'sign_state_too_old', height]);
    expect(existsSync(inFolder('restored'))).toBe(false);
  });

  test('takes a newer sign state of the old machine, and no older one', async () => {
    net.alsoSigned.set(71, addressOf(validatorKey(LOST)));
    writeFileSync(stateOf(inFolder('backup')), signState(71));
    expect((await restore()).code).toBe(0);
    // An older one is refused whatever the chain shows.
    net.alsoSigned.clear();
    writeFileSync(stateOf(inFolder('backup')), signState(SIGNED - 1));
    renameSync(inFolder('restored'), inFolder('first'));
    expect((await restore()).document.code).toBe('sign_state_too_old');
  });

  test('signs from above the chain on when the old machine is gone', async () => {
    net.alsoSigned.set(71, addressOf(validatorKey(LOST)));
    expect((await restore('--old-node-is-gone')).code).toBe(0);
    expect(heightIn(inFolder('restored'))).toBeGreaterThan(net.height);
  });

  test('is refused in any case while the key signs the newest blocks', async () => {
    for (let height = 90; height < 300; height += 1) net.alsoSigned.set(height, addressOf(validatorKey(LOST)));
    expect((await restore('--old-node-is-gone')).document.code).toBe('still_signing');
  });

  test('is refused when the key signs first in a block that comes during the restore', async () => {
    // The look at the chain ends at 125.
    net.alsoSigned.set(128, addressOf(validatorKey(LOST)));
    expect((await restore()).document).toMatchObject({ code: 'still_signing', height: 128 });
    expect(existsSync(inFolder('restored'))).toBe(false);
  });

  test('is refused when an old node that is said to be gone signs again during the restore', async () => {
    net.alsoSigned.set(71, addressOf(validatorKey(LOST)));
    net.alsoSigned.set(128, addressOf(validatorKey(LOST)));
    expect((await restore('--old-node-is-gone')).document).toMatchObject({ code: 'still_signing', height: 128 });
    expect(existsSync(inFolder('restored'))).toBe(false);
  });

  test('does not wait forever for blocks of a chain that may have stopped without this validator', async () => {
    net.blocksALook = 0;
    let nowMs = 0;
    const now = jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 60_000));
    const { code } = await restore().finally(() => now.mockRestore());
    expect(code).toBe(0);
    expect(heightIn(inFolder('restored'))).toBe(SIGNED);
  });

  test('is refused while the key signs, also where the chain goes on for long during the look at it', async () => {
    // Nothing in the blocks that are watched: what was looked at is enough.
    net.alsoSigned.set(124, addressOf(validatorKey(LOST)));
    const { document } = await validator(
      'restore',
      inFolder('backup'),
      '--home',
      inFolder('restored'),
      '--chain',
      net.node('ahead', { publicKey: validatorKey(0), behind: -20 }),
      '--old-node-is-gone',
    );
    expect(document).toMatchObject({ code: 'still_signing', height: 124 });
  });

  test('is refused for another chain, and by a node that is catching up', async () => {
    const by = (name: string, options: object) =>
      validator(
        'restore',
        inFolder('backup'),
        '--home',
        inFolder('restored'),
        '--chain',
        net.node(name, { publicKey: validatorKey(0), ...options }),
      );
    expect((await by('foreign', { chainId: 'other' })).document.code).toBe('wrong_chain');
    expect((await by('behind', { isCatchingUp: true })).document.code).toBe('not_synced');
  });

  test('is refused for a backup with the key of another one', async () => {
    writeFileSync(inFolder('backup/config/priv_validator_key.json'), formatValidatorKey(validatorSeed(6)));
    expect((await restore()).document.message).toMatch(/put together of two/);
  });
});

describe('new-key', () => {
  test('is refused while the old key has power', async () => {
    home = makeHome('validator', 0);
    expect((await validator('new-key', '--home', home)).document.code).toBe('has_power');
    expect(heightIn(home)).toBe(SIGNED);
  });

  test('is refused when the old key was given power that does not count yet', async () => {
    net.decide(validatorKey(LOST), 10);
    expect((await validator('new-key', '--home', home)).document.code).toBe('has_power');
  });

  test('is refused while the old key still signs, and while the node runs', async () => {
    for (let height = 90; height < 300; height += 1) net.alsoSigned.set(height, addressOf(validatorKey(LOST)));
    expect((await validator('new-key', '--home', home)).document.code).toBe('has_power');
    net.alsoSigned.clear();
    await whileRunning(async () =>
      expect((await validator('new-key', '--home', home)).document.code).toBe('node_running'),
    );
  });

  test('gives the home a key that has signed nothing, and keeps the old one with what it signed', async () => {
    const { code, document } = await validator('new-key', '--home', home);
    expect(code).toBe(0);
    expect(document.address).not.toBe(addressOf(validatorKey(LOST)));
    expect(heightIn(home)).toBe(0);
    expect(readFileSync(document.kept[0], 'utf8')).toBe(formatValidatorKey(validatorSeed(LOST)));
    expect(readFileSync(document.kept[1], 'utf8')).toBe(signState(SIGNED));
  });
});

test('what root wrote belongs to the user of the home again', () => {
  const root = process.getuid?.() === 0;
  if (root) chownSync(home, OTHER_USER, OTHER_USER);
  giveToOwner(home);
  const owner = statSync(home).uid;
  expect(owner).toBe(root ? OTHER_USER : process.getuid?.());
  for (const file of ['config', 'config/priv_validator_key.json', 'data/priv_validator_state.json'])
    expect([file, statSync(path.join(home, file)).uid]).toEqual([file, owner]);
});
