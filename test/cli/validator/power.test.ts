/** `txledger validator add`, `remove` and `rotate` against a scripted network. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { formatOperatorKey, operatorKeyOf } from '../../../server/app/operator-key.ts';
import { addressOf, powerOf } from '../../../server/cli/validator/plan.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../app/support.ts';
import { governorSeed, validatorKey } from '../../ledger/support.ts';
import { run } from '../support.ts';
import { ScriptedNetwork } from './scripted-network.ts';

let net: ScriptedNetwork;
let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder('validator');
  for (let i = 0; i < 3; i += 1)
    writeFileSync(key(i), formatOperatorKey(operatorKeyOf(governorSeed(i), 'txlt')), { mode: 0o600 });
});
afterEach(() => net.close());
afterAll(removeTemporaryFolders);

const key = (i: number): string => path.join(folder, `governor-${i}.json`);
const bothKeys = (): string[] => ['--key', key(0), key(1)];

async function network(...powers: number[]): Promise<void> {
  net = new ScriptedNetwork(powers);
  await net.listen();
}

async function validator(...args: string[]): Promise<{ code: number | null; document: any }> {
  const { code, stdout, stderr } = await run(['validator', ...args, '--json'], {
    variables: { TXLEDGER_URL: net.url, TXLEDGER_TOKEN: 'txl_a_b' },
  });
  if (stdout === '') throw new Error(stderr);
  const document = JSON.parse(stdout);
  return { code, document: document.error ?? document };
}

describe('add', () => {
  test('gives power in steps of less than a third, and the next only after a signature', async () => {
    await network(10);
    const node = net.node('new', { publicKey: validatorKey(1) });
    const { code, document } = await validator('add', '--node', node, '--power', '10', ...bothKeys(), '--yes');
    expect(code).toBe(0);
    expect(document.steps.map(({ power }: { power: number }) => power)).toEqual([3, 7, 10]);
    expect(net.set.map(({ power }) => power)).toEqual([3, 7, 10]);
    // Each counts from the second block after its own, and a block that shows the signature is later still.
    for (const [i, { height }] of net.set.entries())
      if (i > 0) expect(height).toBeGreaterThan((net.set[i - 1]?.height ?? 0) + 2);
  });

  test('takes the power that most validators have', async () => {
    await network(10, 10, 10, 7);
    const { document } = await validator(
      'add',
      '--node',
      net.node('new', { publicKey: validatorKey(4) }),
      ...bothKeys(),
      '--yes',
    );
    expect(document.steps.at(-1).power).toBe(10);
  });

  test.each([
    ['that is catching up', { isCatchingUp: true }, 'not_synced'],
    ['that is behind', { behind: 3 }, 'not_synced'],
    ['of another chain', { chainId: 'other' }, 'wrong_chain'],
    ['with another block at the same height', { blockHash: 'FORKED' }, 'wrong_chain'],
  ])('gives no power to a node %s', async (_what, options, refusal) => {
    await network(10, 10, 10, 10);
    const node = net.node('new', { publicKey: validatorKey(4), ...options });
    const { code, document } = await validator('add', '--node', node, ...bothKeys(), '--yes', '--timeout', '1s');
    expect(document.code).toBe(refusal);
    expect(code).not.toBe(0);
    expect(net.set).toEqual([]);
  });

  test('stops after the first step when the new one does not sign, and goes on once it does', async () => {
    await network(10);
    net.offline.add(addressOf(validatorKey(1)));
    const node = net.node('new', { publicKey: validatorKey(1) });
    const first = await validator('add', '--node', node, '--power', '10', ...bothKeys(), '--yes');
    expect(first.document.code).toBe('does_not_sign');
    expect(net.set.map(({ power }) => power)).toEqual([3]);
    // Not even a second run gives it more before it signs.
    expect((await validator('add', '--node', node, '--power', '10', ...bothKeys(), '--yes')).document.code).toBe(
      'does_not_sign',
    );
    expect(net.set).toHaveLength(1);
    net.offline.clear();
    expect((await validator('add', '--node', node, '--power', '10', ...bothKeys(), '--yes')).code).toBe(0);
    expect(net.set.map(({ power }) => power)).toEqual([3, 7, 10]);
  });

  test('ends only when the last step is signed with', async () => {
    await network(10, 10, 10, 10);
    net.offline.add(addressOf(validatorKey(4)));
    expect(
      (await validator('add', '--node', net.node('new', { publicKey: validatorKey(4) }), ...bothKeys(), '--yes'))
        .document.code,
    ).toBe('does_not_sign');
  });

  test('shows the plan with --dry-run and changes nothing; without a terminal it wants --yes', async () => {
    await network(10);
    const node = net.node('new', { publicKey: validatorKey(1), isCatchingUp: true });
    const { code, document } = await validator('add', '--node', node, '--power', '10', '--dry-run');
    expect(code).toBe(0);
    expect(document.steps.map(({ power }: { power: number }) => power)).toEqual([3, 7, 10]);
    net.node('new', { publicKey: validatorKey(1) });
    expect((await validator('add', '--node', node, '--power', '10', ...bothKeys())).document.message).toMatch(/--yes/);
    expect(net.set).toEqual([]);
  });

  test('asks for a token that may broadcast before it shows a plan, and says how one is made', async () => {
    await network(10, 10, 10, 10);
    net.mayBroadcast = false;
    const node = net.node('new', { publicKey: validatorKey(4) });
    const { code, stderr } = await run(['validator', 'add', '--node', node, ...bothKeys()], {
      variables: { TXLEDGER_URL: net.url, TXLEDGER_TOKEN: 'txl_a_b' },
    });
    expect(code).toBe(3);
    expect(stderr).toContain('txledger token create --owner NAME --scope rpc:broadcast --scope transactions:read');
    // Neither the plan nor the question, which fails without a terminal.
    expect(stderr).not.toMatch(/Steps|terminal/);
    // A plan alone broadcasts nothing.
    expect((await validator('add', '--node', node, '--dry-run')).code).toBe(0);
    expect((await validator('remove', '--validator', validatorKey(9), '--yes')).document.steps).toEqual([]);
  });

  test('asks for enough governors before it does anything', async () => {
    await network(10, 10, 10, 10);
    const { document } = await validator(
      'add',
      '--node',
      net.node('new', { publicKey: validatorKey(4) }),
      '--key',
      key(0),
      '--yes',
    );
    expect(document.code).toBe('too_few_signatures');
    expect(net.set).toEqual([]);
  });
});

describe('governors elsewhere', () => {
  test('sign the files of all steps at one meeting, and the next run submits them', async () => {
    await network(10);
    const proposals = path.join(folder, 'proposals');
    const args = [
      'add',
      '--node',
      net.node('new', { publicKey: validatorKey(1) }),
      '--power',
      '10',
      '--proposals',
      proposals,
      '--yes',
    ];
    // One key is at hand; its signature is in each file.
    const first = await validator(...args, '--key', key(0));
    expect(first.document.code).toBe('signatures_missing');
    expect(first.document.proposals).toHaveLength(3);
    expect(readdirSync(proposals)).toHaveLength(3);
    expect(net.set).toEqual([]);
    for (const file of first.document.proposals)
      expect((await run(['governance', 'sign', file, '--key', key(2)])).code).toBe(0);
    expect((await validator(...args)).code).toBe(0);
    expect(net.set.map(({ power }) => power)).toEqual([3, 7, 10]);
  });
});

describe('remove', () => {
  test('takes all power and waits until the chain is without it', async () => {
    await network(10, 10, 10, 10);
    const { code, document } = await validator(
      'remove',
      '--validator',
      addressOf(validatorKey(3)),
      ...bothKeys(),
      '--yes',
    );
    expect(code).toBe(0);
    expect(powerOf(net.validators, validatorKey(3))).toBe(0);
    // The signatures of the block before still name it for two blocks.
    expect(net.height).toBeGreaterThanOrEqual((net.set.at(-1)?.height ?? 0) + 2);
    expect(document.end[0]).toMatch(/no power and signs nothing/);
  });

  test('is refused while another one is away, and nothing is changed', async () => {
    await network(10, 10, 10, 10);
    net.offline.add(addressOf(validatorKey(0)));
    const { code, document } = await validator('remove', '--validator', validatorKey(3), ...bothKeys(), '--yes');
    expect([code, document.code]).toEqual([3, 'plan_refused']);
    expect(net.set).toEqual([]);
  });

  test('has nothing to do a second time', async () => {
    await network(10, 10, 10, 10);
    expect((await validator('remove', '--validator', validatorKey(5), '--yes')).document.steps).toEqual([]);
  });
});

describe('rotate', () => {
  test('lowers the old key only after the new one has its power and signs', async () => {
    await network(10, 10, 10, 10);
    net.offline.add(addressOf(validatorKey(4)));
    const args = [
      'rotate',
      '--from',
      validatorKey(0),
      '--node',
      net.node('new', { publicKey: validatorKey(4) }),
      ...bothKeys(),
      '--yes',
    ];
    expect((await validator(...args)).document.code).toBe('does_not_sign');
    // Interrupted with the new key at full power: the next run looks again before it takes anything away.
    expect((await validator(...args)).document.code).toBe('does_not_sign');
    expect(powerOf(net.validators, validatorKey(0))).toBe(10);
    net.offline.clear();
    expect((await validator(...args)).code).toBe(0);
    expect([powerOf(net.validators, validatorKey(0)), powerOf(net.validators, validatorKey(4))]).toEqual([0, 10]);
  });

  test('refuses a node that has the key itself', async () => {
    await network(10, 10, 10, 10);
    const { document } = await validator(
      'rotate',
      '--from',
      validatorKey(0),
      '--node',
      net.node('same', { publicKey: validatorKey(0) }),
      ...bothKeys(),
      '--yes',
    );
    expect(document.code).toBe('same_key');
  });
});
