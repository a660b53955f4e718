/**
 * The matrix: the kit against a real server, which passes, and against the same server behind a proxy that plants one fault at a time, each
 * of which has to fail in the check that is named for it. A check that has never found anything proves nothing.
 *
 *   node test/conformance/matrix.ts                all
 *   node test/conformance/matrix.ts TEXT ...       the rows whose name or check contains one of these
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, Server } from '../e2e/support/server.ts';
import { newTokens } from '../workflows/tokens.ts';
import { FAULTS, LIMITED } from './matrix/faults.ts';
import type { Row } from './matrix/row.ts';
import { startMessageProxy } from './matrix/message-proxy.ts';
import { startProxy, type Fault } from './matrix/proxy.ts';
import { CHECKS, runKit, type Report, type Result } from './src/kit.ts';
import type { Receiver } from './src/session.ts';
import { accountOf } from './src/signer.ts';

/** Each has an account of its own, because two that send from one take each other's nonces. */
const AT_ONCE = 5;
const NO_FAULT: Fault = () => undefined;

interface Outcome {
  row: Row;
  /** Why it is not as it should be. */
  wrong?: string;
  seconds: number;
}

type Run = (baseUrl: string, only: readonly string[], seed: string, receiver?: Receiver) => Promise<Report>;

async function judge(row: Row, server: Server, run: Run, seed: string): Promise<Outcome> {
  const proxy = await startProxy(server.baseUrl, await freePort(), row.plant());
  const receiverPort = await freePort();
  const messages = row.plantMessages && (await startMessageProxy(await freePort(), receiverPort, row.plantMessages()));
  const passes = row.expected.startsWith('passes:');
  const only = row.expected.replace(/^passes:/, '').split(',');
  const startedMs = performance.now();
  try {
    const { results } = await run(proxy.baseUrl, only, seed, messages && { port: receiverPort, url: messages.url });
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    const seconds = (performance.now() - startedMs) / 1000;
    if (passes)
      return failed.length === 0
        ? { row, seconds }
        : { row, seconds, wrong: `${failed[0]?.id} failed: ${failed[0]?.message}` };
    // Found by the way, in what the check needs first, is not found by the check.
    const found = failed.some(({ message }) => message?.includes('cannot give money') === false);
    return found
      ? { row, seconds }
      : {
          row,
          seconds,
          wrong: `not found: ${results.map(({ id, outcome, message }) => `${id} ${outcome} ${message ?? ''}`).join('; ')}`,
        };
  } catch (error) {
    return { row, seconds: (performance.now() - startedMs) / 1000, wrong: `the kit gave up: ${String(error)}` };
  } finally {
    await proxy.close();
    await messages?.close();
  }
}

async function inTurns<Work, Done>(
  works: readonly Work[],
  seeds: readonly string[],
  run: (work: Work, seed: string) => Promise<Done>,
): Promise<Done[]> {
  const queue = works.map((work, i) => ({ work, i }));
  const done: Done[] = [];
  await Promise.all(
    seeds.map(async (seed) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        done[next.i] = await run(next.work, seed);
    }),
  );
  return done;
}

function complaints(results: readonly Result[], rows: readonly Row[]): string[] {
  const bad = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, message }) => `the server without a fault fails ${id}: ${message}`);
  const named = new Set(rows.flatMap(({ expected }) => expected.split(',')));
  // A check for which no fault was ever planted may find nothing at all. The vectors of signing test the kit itself.
  const idle = CHECKS.filter(({ id }) => !named.has(id) && id !== 'vectors.signing').map(
    ({ id }) => `no fault is planted for ${id}`,
  );
  const skipped = results
    .filter(({ outcome }) => outcome === 'skipped')
    .map(({ id, message }) => `${id} was skipped: ${message}`);
  return [...bad, ...skipped, ...idle];
}

/** One server, and how the kit is run against it or what stands in front of it. */
interface Bench {
  server: Server;
  seeds: readonly string[];
  run: Run;
}

async function benchOf(server: Server): Promise<Bench> {
  await server.start();
  const dev = await server.development();
  const tokens = await newTokens(server);
  const run: Run = (baseUrl, only, seed, receiver) =>
    runKit({
      baseUrl,
      receiver,
      token: dev.token,
      ...tokens,
      only,
      keep: true,
      bankOf: (prefix) => accountOf(Buffer.from(seed, 'hex'), prefix),
    });
  return { server, seeds: dev.accounts.slice(0, AT_ONCE).map(({ seed }) => seed), run };
}

/** Through the proxy too, which must not be the reason that a fault is found. */
async function withoutFault({ server, seeds, run }: Bench, only: readonly string[]): Promise<Report> {
  const proxy = await startProxy(server.baseUrl, await freePort(), NO_FAULT);
  try {
    return await run(proxy.baseUrl, only, seeds[0] ?? '');
  } finally {
    await proxy.close();
  }
}

async function main(texts: readonly string[]): Promise<void> {
  const chosen = FAULTS.filter(
    ({ name, expected }) => texts.length === 0 || texts.some((text) => name.includes(text) || expected.includes(text)),
  );
  const scratch = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  const serverOf = async (name: string, variables: Record<string, string>): Promise<Server> =>
    new Server({
      dataDir: path.join(scratch, name),
      port: await freePort(),
      variables: { BLOCK_INTERVAL_MS: '100', TXLEDGER_VALIDATE_RESPONSES: 'false', ...variables },
    });
  const servers = [
    await serverOf('open', {}),
    await serverOf('limited', { TXLEDGER_RATE_PER_TOKEN_PER_S: '100', TXLEDGER_RATE_PER_IP_PER_S: '200' }),
  ] as const;
  try {
    const [open, limited] = [await benchOf(servers[0]), await benchOf(servers[1])];
    const wrong: string[] = [];
    if (texts.length === 0) {
      const reports = [await withoutFault(open, []), await withoutFault(limited, LIMITED)];
      // What is skipped where there are no limits has to be decided where there are.
      const results = reports
        .flatMap((report) => report.results)
        .filter(
          ({ id, outcome }, i, all) => outcome !== 'skipped' || all.findLastIndex((each) => each.id === id) === i,
        );
      wrong.push(...complaints(results, FAULTS));
      const count = (outcome: Result['outcome']): number =>
        results.filter((result) => result.outcome === outcome).length;
      const [{ called, uncalled }] = reports as [Report];
      wrong.push(...uncalled.map((name) => `the kit calls no ${name}`));
      console.log(`${called.length} of ${called.length + uncalled.length} operations were called`);
      console.log(
        `without a fault: ${count('passed')} checks passed, ${count('failed')} failed, ${count('skipped')} skipped`,
      );
    }
    const startedMs = performance.now();
    const unlimited = await inTurns(
      chosen.filter((row) => row.limited !== true),
      open.seeds,
      (row, seed) => judge(row, open.server, open.run, seed),
    );
    // One by one: each uses up the quota of all.
    const few = await inTurns(
      chosen.filter((row) => row.limited === true),
      limited.seeds.slice(0, 1),
      (row, seed) => judge(row, limited.server, limited.run, seed),
    );
    const outcomes = [...unlimited, ...few];
    for (const { row, wrong: why, seconds } of outcomes)
      console.log(
        `${why === undefined ? 'ok  ' : 'FAIL'} ${row.name.padEnd(58)} ${row.expected.padEnd(36)} ${seconds.toFixed(1)} s`,
      );
    wrong.push(
      ...outcomes.flatMap(({ row, wrong: why }) =>
        why === undefined ? [] : [`${row.name} (${row.expected}): ${why}`],
      ),
    );
    console.log(
      `${outcomes.length} faults in ${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${wrong.length} complaints`,
    );
    for (const each of wrong) console.error(each);
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    for (const server of servers) await server.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
