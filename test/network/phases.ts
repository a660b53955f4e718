/** What is done to the network, one after another. Each fails with what it saw. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { askNode, nodeFacts, signedHeaderAt } from '../../server/cli/validator/node.ts';
import { RECENT_BLOCKS, signsBlock } from '../../server/cli/validator/signatures.ts';
import { txledger } from '../e2e/support/server.ts';
import type { CommandResult } from '../support/child-process.ts';
import { COMMAND_FILE, makeBuild, RULES_2, WRONG_RULE } from './build.ts';
import type { Network, Payer } from './network.ts';
import { COMETBFT_LINES, type Pair, THIS_BUILD } from './pair.ts';

type Phase = (net: Network, payer: Payer, log: (line: string) => void) => Promise<void>;

/** Where a snapshot of the interval of these nodes is surely behind. */
const FIRST_SNAPSHOT_HEIGHT = 25;
/** Further than `validator restore` takes for a node that still runs. */
const SOME_BLOCKS = RECENT_BLOCKS + 3;
/** Timeouts of a height without its proposer (2 s, 0.5 s), and a machine that does other things. */
const BLOCK_GAP_MS_MAX = 30_000;
const RULES_NOTICE = 110;

const pairNamed = (net: Network, name: string): Pair => net.pairs.find((pair) => pair.name === name) as Pair;
const first = (net: Network): Pair => net.pairs[0] as Pair;

/** What a command says of its failure. */
const errorOf = ({ stdout }: CommandResult): any => JSON.parse(stdout).error;

async function laterBlocks(net: Network, count: number): Promise<number> {
  const height = (await first(net).height()) + count;
  await first(net).untilHeight(height);
  return height;
}

/** A block commits to what all before it computed, so the same block is the same state. */
async function assertSameState(net: Network, height: number): Promise<void> {
  const hashes = await Promise.all(
    net.pairs.map(async (pair) => {
      // A node has a block before it has executed it.
      await pair.untilHeight(height + 1);
      return pair.appHash(height);
    }),
  );
  assert.equal(new Set(hashes).size, 1, `after block ${height} the applications have ${hashes.join(', ')}`);
}

const statesync: Phase = async (net, _payer, log) => {
  await first(net).untilHeight(FIRST_SNAPSHOT_HEIGHT);
  const fifth = await net.another();
  // Two nodes that do not exist, one node twice, and one alone prove nothing.
  const alone = await net.validator('statesync', '--rpc', `${first(net).node.url},${first(net).node.url}`);
  assert.equal(alone.code, 2, alone.stdout);
  const rpc = net.pairs
    .slice(0, 2)
    .map(({ node }) => node.url)
    .join(',');
  const written = await net.validator('statesync', '--rpc', rpc, '--home', fifth.home);
  assert.equal(written.code, 0, written.stdout);
  // It answers before it follows the chain, and then it gets no power.
  fifth.start(net.build);
  await fifth.until('answering', async () => (await nodeFacts(fifth.node)).publicKey === fifth.publicKey);
  const early = await net.validator(
    'add',
    '--node',
    fifth.node.url,
    '--key',
    net.file('governor-1.json'),
    net.file('governor-2.json'),
    '--yes',
    '--timeout',
    '1s',
  );
  assert.equal(errorOf(early).code, 'not_synced', 'power was given to a node that had not caught up');
  assert.equal((await net.powers())[fifth.name], undefined);
  const added = await net.governed('add', '--node', fifth.node.url);
  const { earliestHeight } = await nodeFacts(fifth.node);
  assert.ok(earliestHeight > 1, `the node has all blocks from ${earliestHeight} on: it did not begin at a snapshot`);
  log(
    `a fifth validator, from a snapshot: its first block is ${earliestHeight}, its power ${added.steps.map(({ power }: { power: number }) => power).join(', then ')}`,
  );
  assert.equal((await net.powers())[fifth.name], 10);
};

/** Files that governors sign elsewhere, and a second run that goes on. */
async function removeByFiles(net: Network, validator: string): Promise<void> {
  const args = ['remove', '--validator', validator, '--proposals', net.file('proposals'), '--yes', '--timeout', '120s'];
  for (;;) {
    const result = await net.validator(...args);
    if (result.code === 0) return;
    const { code, proposals } = errorOf(result);
    assert.equal(code, 'signatures_missing', result.stdout);
    for (const file of proposals as string[]) {
      for (const governor of ['governor-2', 'governor-3']) {
        const signed = await txledger(['governance', 'sign', file, '--key', net.file(`${governor}.json`)]);
        assert.equal(signed.code, 0, signed.stderr);
      }
    }
  }
}

const backup: Phase = async (net, _payer, log) => {
  const fifth = pairNamed(net, 'node-5');
  const running = await net.validator('backup', '--home', fifth.home, '--out', net.file('backup'));
  assert.equal(errorOf(running).code, 'node_running', running.stdout);
  await fifth.stop();
  const taken = await net.validator('backup', '--home', fifth.home, '--out', net.file('backup'));
  assert.equal(taken.code, 0, taken.stdout);
  fifth.start(net.build);
  await fifth.until(
    'signing above the backup',
    async () => (await fifth.height()) > JSON.parse(taken.stdout).signed.height + SOME_BLOCKS,
  );
  await untilSigns(net, fifth);
  const still = await net.validator(
    'restore',
    net.file('backup'),
    '--home',
    net.file('restored'),
    '--chain',
    first(net).node.url,
  );
  assert.equal(errorOf(still).code, 'still_signing', still.stdout);
  // The machine is lost.
  await fifth.kill();
  rmSync(fifth.dataDir, { recursive: true });
  renameSync(fifth.home, net.file('lost'));
  await laterBlocks(net, SOME_BLOCKS);
  const old = await net.validator('restore', net.file('backup'), '--home', fifth.home, '--chain', first(net).node.url);
  assert.equal(errorOf(old).code, 'sign_state_too_old', old.stdout);
  log(`an old backup: signed up to ${errorOf(old).height}, ${errorOf(old).known} known, refused`);
  const restored = await net.validator(
    'restore',
    net.file('backup'),
    '--home',
    fifth.home,
    '--chain',
    first(net).node.url,
    '--old-node-is-gone',
  );
  assert.equal(restored.code, 0, restored.stdout);
  assert.equal(JSON.parse(restored.stdout).statesyncTurnedOff, true, restored.stdout);
  const rpc = net.pairs
    .slice(0, 2)
    .map(({ node }) => node.url)
    .join(',');
  assert.equal((await net.validator('statesync', '--rpc', rpc, '--home', fifth.home)).code, 0);
  fifth.start(net.build);
  const { signsAbove } = JSON.parse(restored.stdout);
  await first(net).until('signed by the restored validator', async () => {
    const { commit } = await signedHeaderAt(first(net).node);
    return (
      Number(commit.height) > signsAbove &&
      commit.signatures.some(
        ({ validator_address: address, block_id_flag: flag }) => address === fifth.address && flag === 2,
      )
    );
  });
  // A validator that signs twice loses all power.
  assert.equal((await net.powers())[fifth.name], 10);
  log(`restored: it signs again above ${signsAbove}, and nothing twice`);
};

const rotate: Phase = async (net, _payer, log) => {
  const fifth = pairNamed(net, 'node-5');
  const sixth = await net.another();
  sixth.start(net.build);
  await sixth.until('answering', async () => (await nodeFacts(sixth.node)).chainId !== '');
  const rotated = await net.governed('rotate', '--from', fifth.address, '--node', sixth.node.url);
  const powers = await net.powers();
  assert.equal(powers[sixth.name], 10);
  assert.equal(powers[fifth.name], undefined);
  log(`rotated in ${rotated.steps.length} steps`);
  const again = await net.governed('rotate', '--from', fifth.publicKey, '--node', sixth.node.url);
  assert.deepEqual(again.steps, [], 'a second run has nothing to do');
  await removeByFiles(net, sixth.address);
  assert.equal((await net.powers())[sixth.name], undefined);
  for (const pair of [fifth, sixth]) {
    await pair.stop();
    net.pairs.splice(net.pairs.indexOf(pair), 1);
  }
};

/** Runs the pair with a build whose rule is wrong until its node has halted, and stops it. */
async function halt(net: Network, payer: Payer, pair: Pair): Promise<void> {
  await pair.stop();
  const wrong = net.file('wrong-build');
  if (!existsSync(wrong)) makeBuild(wrong, net.build === THIS_BUILD ? WRONG_RULE : [...RULES_2, ...WRONG_RULE]);
  pair.start(path.join(wrong, COMMAND_FILE));
  await pair.until('following', async () => !(await nodeFacts(pair.node)).isCatchingUp);
  const hash = await payer.pay(777n);
  assert.equal(await payer.statusOf(hash), 'committed');
  await pair.until('halted', async () => /CONSENSUS FAILURE/.test(pair.log('node')));
  await pair.stop();
}

/** Removing the application's data was the documented remedy once: the node must not come up by it, or none of this is needed. */
async function removeApplicationAlone(net: Network, pair: Pair): Promise<void> {
  cpSync(pair.home, net.file('naive'), { recursive: true });
  renameSync(pair.dataDir, `${pair.dataDir}-kept`);
  pair.start(net.build);
  await pair.nodeEnded();
  await pair.kill();
  assert.match(pair.log('node'), /AppHash does not match AppHash after replay/);
  for (const folder of [pair.dataDir, pair.home]) rmSync(folder, { recursive: true });
  renameSync(`${pair.dataDir}-kept`, pair.dataDir);
  renameSync(net.file('naive'), pair.home);
}

const recover: Phase = async (net, payer, log) => {
  const rpc = net.pairs
    .filter(({ name }) => name === 'node-1' || name === 'node-3')
    .map(({ node }) => node.url)
    .join(',');
  // The second has all blocks, the fifth began at a snapshot.
  for (const name of ['node-2', 'node-5'].filter((each) => net.pairs.some((pair) => pair.name === each))) {
    const pair = pairNamed(net, name);
    await halt(net, payer, pair);
    if (name === 'node-2') await removeApplicationAlone(net, pair);
    const args = ['recover', '--home', pair.home, '--data-dir', pair.dataDir, '--rpc', rpc];
    const dry = await net.validator(...args, '--dry-run');
    assert.equal(dry.code, 0, dry.stdout);
    assert.deepEqual([JSON.parse(dry.stdout).isWrong, JSON.parse(dry.stdout).isWhole], [true, name === 'node-2']);
    const recovered = await net.validator(...args, '--yes');
    assert.equal(recovered.code, 0, recovered.stdout);
    pair.start(net.build);
    // A snapshot may be above the newest block of now: the state is compared at one that all of them have.
    await pair.until('following', async () => !(await nodeFacts(pair.node)).isCatchingUp);
    const height = await laterBlocks(net, 3);
    await assertSameState(net, height);
    log(
      `${name} taken back from block ${JSON.parse(recovered.stdout).height}, at block ${height} with the state of the others`,
    );
    await pair.stop();
    const healthy = await net.validator(...args, '--yes');
    assert.equal(errorOf(healthy).code, 'nothing_wrong', healthy.stdout);
    pair.start(net.build);
    await pair.untilHeight(await first(net).height());
  }
};

/** A node that has caught up may not vote yet; the next one may stop when a commit of the others has its signature, of a block since its start. */
async function untilSigns(net: Network, pair: Pair): Promise<void> {
  const other = net.pairs.find((each) => each !== pair) as Pair;
  const since = await other.height();
  await pair.until('signing', async () => {
    const { commit } = await signedHeaderAt(other.node);
    return Number(commit.height) > since && signsBlock(commit, pair.address);
  });
}

/** Every program is replaced first, one after another; then governors name the height, and what follows here happens until it comes. */
const upgrade: Phase = async (net, payer, log) => {
  const build = makeBuild(net.file('next-build'), RULES_2);
  const before = await laterBlocks(net, 1);
  await net.restartGateway(build);
  for (const pair of net.pairs) {
    await pair.stop();
    pair.start(build);
    await untilSigns(net, pair);
  }
  const after = await laterBlocks(net, 1);
  log(
    `all replaced within blocks ${before} to ${after}, never more than ${await longestGapMs(net, before, after)} ms apart`,
  );
  net.activation = (await first(net).height()) + RULES_NOTICE;
  const file = net.file('rules.json');
  for (const args of [
    ['propose', '--kind', 'rules_version', '--subject', '2', '--height', String(net.activation), '--out', file],
    ['sign', file, '--key', net.file('governor-1.json')],
    ['sign', file, '--key', net.file('governor-3.json')],
    ['submit', file],
  ]) {
    const result = await txledger(['governance', ...args], net.variables);
    assert.equal(result.code, 0, result.stderr);
  }
  assert.equal(await payer.balanceOfNew(13n), '13', 'the new rule counted before its height');
};

/** @throws AssertionError when the chain paused for longer than a height without its proposer takes. */
async function longestGapMs(net: Network, from: number, to: number): Promise<number> {
  const times: number[] = [];
  for (let height = from; height <= to; height += 1) {
    const { header } = await askNode<{ header: { time: string } }>(first(net).node, 'header', {
      height: String(height),
    });
    times.push(Date.parse(header.time));
  }
  const longestMs = Math.max(...times.slice(1).map((time, i) => time - (times[i] as number)));
  assert.ok(longestMs < BLOCK_GAP_MS_MAX, `two blocks from ${from} to ${to} were ${longestMs} ms apart`);
  return longestMs;
}

const activation: Phase = async (net, payer, log) => {
  await first(net).untilHeight(net.activation + 1);
  assert.equal(await payer.balanceOfNew(13n), '0', 'the new rule does not count');
  await assertSameState(net, await laterBlocks(net, 3));
  log(
    `version 2 counts from ${net.activation}, all at ${await longestGapMs(net, net.activation - 5, net.activation + 2)} ms a block at most around it`,
  );
};

/** Every node to the program of another line, one after another: the chain has nodes of two lines until the last one is replaced. */
const lines: Phase = async (net, _payer, log) => {
  assert.notEqual(COMETBFT_LINES.length, 0, 'COMETBFT_LINES must name the programs');
  for (const program of COMETBFT_LINES) {
    const before = await laterBlocks(net, 1);
    for (const pair of net.pairs) {
      await pair.stop();
      pair.program = program;
      pair.start(net.build);
      await untilSigns(net, pair);
    }
    const after = await laterBlocks(net, 3);
    await assertSameState(net, after);
    log(
      `all nodes of ${program} within blocks ${before} to ${after}, never more than ${await longestGapMs(net, before, after)} ms apart`,
    );
  }
};

/** Run only where they are named. */
export const PHASES_ON_DEMAND = { lines } as const;
export const PHASES = { upgrade, statesync, backup, recover, rotate, activation } as const;
