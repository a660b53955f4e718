/**
 * Two lines of CometBFT beside each other: what a network of ours meets when its nodes are of the other one.
 *
 *   COMETBFT=... COMETBFT_OTHER=... node test/cometbft-lines/run.ts [--only answers,job,packages] [--markdown FILE]
 *
 * `answers`: every request that was recorded at a stock node (see test/http/recorded.test.ts), put to a stock node of each line that has the same
 * transactions; members, types and words that differ are printed as a table, and each must be one that EXPECTED names. `job`: a localnet of the
 * other line, the main job, every wrong input, CosmJS and the stock light client through either gateway (test/localnet/run.ts). `packages`: blocks and
 * receipts of ours judged by the other line's Go packages (test/go, in a copy).
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { COMETBFT_OTHER_LINES, COMETBFT_VERSION } from '../../scripts/localnet/cometbft.ts';
import { ROOT } from '../../scripts/steps.ts';
import { COMETBFT, CometbftNode } from '../engine/support/cometbft-node.ts';
import { differences, type Shape, shapeOf } from './shape.ts';

const OTHER = process.env['COMETBFT_OTHER'] ?? '';
const GOLDEN = ['test/http/golden', 'test/engine/golden/rpc'];
const RECORDED_BLOCK = '67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A';
/** The second is the one that the node was recorded to have. */
const TRANSACTIONS = ['first=1', 'name=satoshi', 'third=3'];
/** The block that most of the requests name: on this node, the one that has the second transaction; the first block has no commit of one before. */
const RECORDED_HEIGHT = /(height\W{1,6}|"params\W{1,8})[34]\b/g;
const INDEX_MS_MAX = 30_000;
const SETTLED_MS_MAX = 30_000;
const POLL_MS = 50;

const { values } = parseArgs({
  options: { only: { type: 'string', default: 'answers,job,packages' }, markdown: { type: 'string' } },
});
const only = new Set(values.only.split(','));
const printedBy = (program: string): string =>
  `v${(spawnSync(program, ['version'], { encoding: 'utf8' }).stdout ?? '').trim().replace(/^v/, '')}`;
const otherLine = COMETBFT_OTHER_LINES.find(({ printed }) => printed === printedBy(OTHER));
if (printedBy(COMETBFT) !== COMETBFT_VERSION || otherLine === undefined)
  throw new Error(
    `COMETBFT is to be the program cometbft ${COMETBFT_VERSION}, and COMETBFT_OTHER that of ${COMETBFT_OTHER_LINES.map(({ version }) => version).join(' or ')}: go install github.com/cometbft/cometbft/cmd/cometbft@VERSION`,
  );
const OTHER_VERSION = otherLine.version;

/** By the member that differs, why it may. Anything else that differs fails, and so does an entry that nothing needs. */
const EXPECTED: Readonly<Record<string, string>> = {
  'result.consensus_params.authority.authority':
    'consensus parameters have an authority; optional in the contract since 1.8.0',
  'result.genesis.consensus_params.authority.authority': 'the same in genesis',
};
/** Requests whose answer is another one as a whole, by line. */
const EXPECTED_ANSWERS: Readonly<Partial<Record<typeof OTHER_VERSION, Readonly<Record<string, string>>>>> = {
  'v0.40.0': { '_protocol.float-id.post': 'an id of JSON-RPC with a fraction is refused with status 500' },
};
const expectedAnswers = EXPECTED_ANSWERS[OTHER_VERSION] ?? {};

interface Recorded {
  name: string;
  method: string;
  path: string;
  body: string | undefined;
}

function recorded(): Recorded[] {
  return GOLDEN.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith('.json') && !file.startsWith('_websocket'))
      .map((file) => {
        const asked = (
          JSON.parse(readFileSync(path.join(ROOT, folder, file), 'utf8')) as {
            request: { method: string; path: string; body?: unknown; txLength?: number };
          }
        ).request;
        const body =
          asked.txLength === undefined
            ? asked.body
            : { ...(asked.body as object), params: { tx: 'YWFh'.repeat(asked.txLength / 3) } };
        return {
          name: file.replace('.json', ''),
          method: asked.method,
          path: asked.path,
          body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
        };
      }),
  ).toSorted((a, b) => Number(changes(a)) - Number(changes(b)) || (a.name < b.name ? -1 : 1));
}

/** Last, because a node in the middle of a round tells more than one that waits. */
const changes = ({ name }: Recorded): boolean => name.startsWith('broadcast_');

/** By node:http, because fetch refuses a body with GET and some of the recorded paths. */
function ask(url: string, { method, path: where, body }: Recorded): Promise<Shape> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${encodeURI(decodeURI(where))}`,
      { method, agent: false, headers: body === undefined ? {} : { 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve(shapeOf(answer.statusCode ?? 0, answer.headers['content-type'] ?? '', text)));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A transaction is followed by a block that proves its outcome: with it, the heights of both chains mean the same. */
async function settled(node: CometbftNode): Promise<void> {
  const endMs = performance.now() + SETTLED_MS_MAX;
  for (;;) {
    const info = (await node.ask('abci_info')).result.response;
    const { header } = (await node.ask('header')).result;
    if (header.app_hash === Buffer.from(info.last_block_app_hash, 'base64').toString('hex').toUpperCase()) return;
    if (performance.now() > endMs) throw new Error('no block proves what was committed');
    await sleep(POLL_MS);
  }
}

/** A node indexes after it has answered, and what the index lacks is missing in searches. */
async function indexed(node: CometbftNode): Promise<void> {
  const searches = [
    ['tx_search', 'tx.height>0', TRANSACTIONS.length],
    ['block_search', 'block.height>0', TRANSACTIONS.length],
  ] as const;
  for (const [method, query, count] of searches) {
    const endMs = performance.now() + INDEX_MS_MAX;
    while (Number((await node.ask(method, { query })).result?.total_count ?? 0) < count) {
      if (performance.now() > endMs) throw new Error(`${method} does not find the ${count} that were committed`);
      await sleep(POLL_MS);
    }
  }
}

async function answersOf(program: string): Promise<Map<string, Shape>> {
  const node = new CometbftNode(undefined, program);
  try {
    await node.start();
    const heights: string[] = [];
    for (const tx of TRANSACTIONS) {
      heights.push((await node.ask('broadcast_tx_commit', { tx: Buffer.from(tx).toString('base64') })).result.height);
      await settled(node);
    }
    const [, height] = heights;
    await indexed(node);
    const hash: string = (await node.ask('block', { height })).result.block_id.hash;
    const forms = [
      [RECORDED_BLOCK, hash],
      [Buffer.from(RECORDED_BLOCK, 'hex').toString('base64'), Buffer.from(hash, 'hex').toString('base64')],
    ] as const;
    const answers = new Map<string, Shape>();
    for (const each of recorded()) {
      const ofThisNode = forms
        .reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(each))
        .replaceAll(RECORDED_HEIGHT, `$1${height}`);
      answers.set(each.name, await ask(node.url, JSON.parse(ofThisNode) as Recorded));
    }
    return answers;
  } finally {
    await node.dispose();
  }
}

async function compareAnswers(): Promise<string[]> {
  const [here, there] = [await answersOf(COMETBFT), await answersOf(OTHER)];
  const rows = new Map<string, { where: string; here: string; there: string; names: string[] }>();
  const answersThatDiffer = new Set<string>();
  for (const [name, shape] of here) {
    const different = differences(shape, there.get(name)!);
    if (different.length > 0) answersThatDiffer.add(name);
    if (expectedAnswers[name] !== undefined) continue;
    for (const difference of different) {
      const key = JSON.stringify(difference);
      const row = rows.get(key) ?? { ...difference, names: [] };
      row.names.push(name);
      rows.set(key, row);
    }
  }
  const table = [
    `| Member | ${COMETBFT_VERSION} | ${OTHER_VERSION} | Answers | Why it may |`,
    '|---|---|---|---|---|',
    ...[...rows.values()].map(
      (row) =>
        `| \`${row.where}\` | ${row.here} | ${row.there} | ${row.names.join(', ')} | ${EXPECTED[row.where] ?? '**not expected**'} |`,
    ),
  ];
  for (const [name, why] of Object.entries(expectedAnswers)) table.push(`| the whole answer | | | ${name} | ${why} |`);
  console.log(`${here.size} requests to a node of each line:\n${table.join('\n')}`);
  if (values.markdown !== undefined) writeFileSync(values.markdown, `${table.join('\n')}\n`);
  const found = new Set([...rows.values()].map(({ where }) => where));
  return [
    ...[...found]
      .filter((where) => EXPECTED[where] === undefined)
      .map((where) => `${where} differs, which nothing explains`),
    ...Object.keys(expectedAnswers)
      .filter((name) => !answersThatDiffer.has(name))
      .map((name) => `${name} does not differ any more: take it off EXPECTED_ANSWERS`),
    ...Object.keys(EXPECTED)
      .filter((where) => !found.has(where))
      .map((where) => `${where} does not differ any more: take it off EXPECTED`),
  ];
}

function runLocalnet(): string[] {
  const { status } = spawnSync(process.execPath, [path.join(ROOT, 'test/localnet/run.ts'), '--only', 'job'], {
    stdio: 'inherit',
    env: { ...process.env, COMETBFT: OTHER },
  });
  return status === 0 ? [] : [`a localnet of ${OTHER_VERSION} fails the main job`];
}

function runPackages(): string[] {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cometbft-line-'));
  try {
    // run.sh finds the rest of the checkout two folders above itself.
    for (const name of readdirSync(ROOT))
      if (name !== 'test' && name !== '.git') symlinkSync(path.join(ROOT, name), path.join(scratch, name));
    cpSync(path.join(ROOT, 'test'), path.join(scratch, 'test'), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
    const cwd = path.join(scratch, 'test/go');
    for (const command of [
      ['go', 'mod', 'edit', `-require=github.com/cometbft/cometbft@${OTHER_VERSION}`],
      ['go', 'mod', 'tidy'],
      ['bash', 'run.sh'],
    ]) {
      const { status } = spawnSync(command[0]!, command.slice(1), { cwd, stdio: 'inherit' });
      if (status !== 0) return [`\`${command.join(' ')}\` fails with the packages of ${OTHER_VERSION}`];
    }
    return [];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const faults: string[] = [];
if (only.has('answers')) faults.push(...(await compareAnswers()));
if (only.has('job')) faults.push(...runLocalnet());
if (only.has('packages')) faults.push(...(existsSync(path.join(ROOT, 'test/go')) ? runPackages() : []));
for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0 ? `${COMETBFT_VERSION} and ${OTHER_VERSION}: both lines are usable` : `${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
