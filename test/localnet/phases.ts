/** What is done to a running network, each with its own load and its own judgement. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartKind } from '../../scripts/localnet/state.ts';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { encodeAddress, publicKeyOfSeed } from '../../server/ledger/index.ts';
import { chainOf, signedBody, type Sender } from '../e2e/support/chain.ts';
import { call } from '../e2e/support/server.ts';
import { ask, type Answer, type Asked } from './ask.ts';
import { Load } from './load.ts';
import type { Localnet } from './localnet.ts';
import { judgeChain, judgePayments, untilSettled } from './verify.ts';

export interface Report {
  faults: string[];
  lines: string[];
}

/** A machine that is shared may be slow, but a service that takes this long does not come back by itself. */
const BACK_MS_GIVE_UP = 150_000;
const SETTLE_MS_MAX = 180_000;
const POLL_MS = 50;
const PROBE_CALL_MS_MAX = 2_000;
const PROBE_MONEY = 1_000_000n;
export const KINDS: readonly PartKind[] = ['app', 'node', 'gateway', 'postgres'];
const MS_BETWEEN_KILLS = 1_500;
/** A validator that stopped counting is noticed by the age of the last block, 30 s; twice that is far too late. */
const UNREADY_MS_MAX = 60_000;

let nextAmount = 1;
const AMOUNTS_PER_LOAD = 1_000_000;

/** Base URLs of the nodes' own RPC. */
const nodesOf = (net: Localnet): string[] =>
  net
    .state()
    .parts.filter(({ kind }) => kind === 'node')
    .map(({ ports }) => `http://127.0.0.1:${ports['rpc']}`);

/** A receiver of its own for each load, so that what it holds is what was paid. */
const newReceiver = (): string => encodeAddress(publicKeyOfSeed(crypto.getRandomValues(new Uint8Array(32))), 'txlt');

async function loadOn(
  net: Localnet,
  options: { ratePerS: number; cancelsPercent: number },
): Promise<{ load: Load; to: string; judge(): Promise<string[]> }> {
  const dev = await net.development();
  const to = newReceiver();
  const { token, chainId } = dev;
  // Account 0 pays for what tests need, and the tests of wrong input look at the nonce of account 9.
  const senders = dev.accounts.slice(1, 9);
  const load = new Load({
    gateways: net.state().gateways,
    token,
    chainId,
    senders,
    to,
    firstAmount: nextAmount,
    ...options,
  });
  nextAmount += AMOUNTS_PER_LOAD;
  const judge = async (): Promise<string[]> => {
    const [gateway] = net.state().gateways as [string];
    const pending = await untilSettled(gateway, token, to, SETTLE_MS_MAX);
    const unsettled = pending === 0 ? [] : [`${pending} transfers were still pending after ${SETTLE_MS_MAX} ms`];
    await Promise.all(net.state().gateways.map((each) => readyOf(each, SETTLE_MS_MAX)));
    return [
      ...load.faults,
      ...unsettled,
      ...(await judgePayments(load.payments, { token, gateways: net.state().gateways, to, before: 0n })),
    ];
  };
  return { load, to, judge };
}

/** Resolves when /readyz says 200, with how long that took. */
async function readyOf(gateway: string, msMax: number): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const ready = await call(`${gateway}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    const tookMs = performance.now() - startMs;
    if (ready?.status === 200 || tookMs > msMax) return tookMs;
    await sleep(POLL_MS);
  }
}

interface Took {
  /** Until the service has said that the payment is durable. */
  acknowledgedMs: number;
  committedMs: number;
}

/** How long until a payment that is made now, through this gateway alone, is acknowledged, and is committed. */
async function probe(gateway: string, { token, chainId }: DevelopmentFile, sender: Sender): Promise<Took> {
  const startMs = performance.now();
  const tookMs = (): number => performance.now() - startMs;
  const untilAnswer = async (
    route: string,
    asked: Omit<Asked, 'token' | 'msMax' | 'purpose'>,
    isIt: (answer: Answer) => boolean,
  ): Promise<Answer | undefined> => {
    while (tookMs() < BACK_MS_GIVE_UP) {
      const answer = await ask(gateway, route, { ...asked, token, msMax: PROBE_CALL_MS_MAX, purpose: 'probe' });
      if (answer !== undefined && isIt(answer)) return answer;
      await sleep(POLL_MS);
    }
    return undefined;
  };
  const account = await untilAnswer(`/accounts/${sender.address}`, {}, ({ status }) => status === 200);
  if (account === undefined) return { acknowledgedMs: tookMs(), committedMs: tookMs() };
  const body = JSON.stringify(
    signedBody(sender, { chainId, to: sender.address, amount: 1n, nonce: account.body.nextNonce }),
  );
  const sent = await untilAnswer('/transactions', { method: 'POST', body }, ({ status }) => status < 300);
  const acknowledgedMs = tookMs();
  if (sent !== undefined)
    await untilAnswer(`/transactions/${sent.body.txHash}`, {}, (answer) => answer.body?.status === 'committed');
  return { acknowledgedMs, committedMs: tookMs() };
}

const inSeconds = (ms: number): string => (ms / 1000).toFixed(1);

const spread = (values: readonly number[]): string => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): string => inSeconds(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return `${at(0)} / ${at(0.5)} / ${at(1)} s`;
};

/** What is told of every kill and of all kills of a kind, by the first gateway that manages it and by the last: from the kill, in ms. */
const MEASURES = {
  acknowledged: (took: readonly Took[]) => Math.min(...took.map((each) => each.acknowledgedMs)),
  'acknowledged by every gateway': (took: readonly Took[]) => Math.max(...took.map((each) => each.acknowledgedMs)),
  committed: (took: readonly Took[]) => Math.min(...took.map((each) => each.committedMs)),
  'committed through every gateway': (took: readonly Took[]) => Math.max(...took.map((each) => each.committedMs)),
} as const;
type Measure = keyof typeof MEASURES;
const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

export interface KillOptions {
  kills: number;
  ratePerS: number;
  /** Which kinds of parts, in turn. */
  kinds: readonly PartKind[];
  /** Times longer than this are counted. */
  backMsMax: number;
  /** A longer time is a fault: for a machine that does nothing else. */
  strict: boolean;
  log: (line: string) => void;
}

/** kill -9 of one part after the other under load; each comes back by itself. */
export async function killEverything(net: Localnet, options: KillOptions): Promise<Report> {
  const dev = await net.development();
  const chain0 = chainOf(
    { baseUrl: net.state().gateways[0] as string, dataDir: net.dataDir, output: '', storeVariables: {} },
    dev,
  );
  const probes: Sender[] = [];
  for (const _ of net.state().gateways) probes.push(await chain0.funded(PROBE_MONEY));
  const kills: { kind: PartKind; took: readonly Took[] }[] = [];
  const faults: string[] = [];
  const { load, judge } = await loadOn(net, { ratePerS: options.ratePerS, cancelsPercent: 10 });
  const sending = load.run();
  const startMs = performance.now();
  for (let i = 0; i < options.kills; i += 1) {
    await sleep(MS_BETWEEN_KILLS);
    const kind = options.kinds[i % options.kinds.length] as PartKind;
    const running = net.state().parts.filter((part) => part.kind === kind && part.pid !== null);
    const victim = running[Math.floor(Math.random() * running.length)];
    if (victim === undefined) throw new Error(`no ${kind} runs`);
    net.kill(victim.name);
    const took = await Promise.all(
      net.state().gateways.map((gateway, at) => probe(gateway, dev, probes[at] as Sender)),
    );
    kills.push({ kind, took });
    const times = MEASURE_NAMES.map((name) => `${name} ${inSeconds(MEASURES[name](took))} s`).join(', ');
    options.log(
      `kill ${i + 1} of ${options.kills}: ${victim.name}; a payment ${times} later; ${load.acknowledged} of the load acknowledged`,
    );
    if (MEASURES['committed through every gateway'](took) > BACK_MS_GIVE_UP)
      faults.push(`the service did not come back after the kill of ${victim.name}`);
  }
  const seconds = (performance.now() - startMs) / 1000;
  load.stop();
  await sending;
  const measured = (name: Measure, of: readonly PartKind[] = options.kinds): number[] =>
    kills.filter(({ kind }) => of.includes(kind)).map(({ took }) => MEASURES[name](took));
  const lateBy = (name: Measure): number => measured(name).filter((ms) => ms > options.backMsMax).length;
  const late = lateBy('committed');
  if (options.strict && late > 0)
    faults.push(`${late} times the service took longer than ${options.backMsMax} ms to come back`);
  faults.push(...(await judge()));
  const chain = await judgeChain(nodesOf(net));
  const cancelled = load.payments.filter((payment) => payment.reportedCancelled).length;
  return {
    faults: [...faults, ...chain.faults],
    lines: [
      `${options.kills} kills in ${Math.round(seconds)} s, ${load.acknowledged} payments acknowledged (${Math.round(load.acknowledged / seconds)} a second), ${cancelled} reported cancelled`,
      '  from the kill until a payment made after it was (min / median / max):',
      ...MEASURE_NAMES.map(
        (name) =>
          `  ${name}: ${options.kinds.map((kind) => `${kind} ${spread(measured(name, [kind]))}`).join(', ')}; over ${options.backMsMax / 1000} s: ${lateBy(name)} of ${options.kills}`,
      ),
      `  answers: ${[...load.answers].map(([kind, count]) => `${kind}: ${count}`).join(', ')}`,
      `  ${chain.height} blocks, ${chain.transactions} nonces used, the same on ${nodesOf(net).length} validators`,
    ],
  };
}

/** Two of four validators stand still: what is submitted is queued or refused, and settles when a third is there again. */
export async function loseTheMajority(
  net: Localnet,
  options: { payments: number; ratePerS: number; log: (line: string) => void },
): Promise<Report> {
  const faults: string[] = [];
  const frozen = ['node-2', 'app-2', 'node-3', 'app-3'];
  const { load, judge } = await loadOn(net, { ratePerS: options.ratePerS, cancelsPercent: 10 });
  for (const name of frozen) net.pause(name);
  try {
    const sending = load.run(options.payments);
    const deadlineMs = performance.now() + UNREADY_MS_MAX;
    for (const gateway of net.state().gateways) {
      for (;;) {
        const { status, body } = await call(`${gateway}/readyz`);
        if (status === 503 && body.code === 'engine_unavailable') break;
        if (performance.now() > deadlineMs) {
          faults.push(`${gateway}/readyz still answers ${status} although the chain stands`);
          break;
        }
        await sleep(POLL_MS);
      }
    }
    options.log(`two validators stand still: both gateways say so, ${load.acknowledged} payments are acknowledged`);
    for (const name of ['app-2', 'node-2']) net.resume(name);
    await sending;
    faults.push(...(await judge()));
  } finally {
    for (const name of frozen) net.resume(name);
  }
  const chain = await judgeChain(nodesOf(net));
  return {
    faults: [...faults, ...chain.faults],
    lines: [
      `two of four validators down: ${load.acknowledged} of ${options.payments} acknowledged, all settled with the third`,
    ],
  };
}

/** More than the nodes' mempools hold at one time: nothing is lost. */
export async function overfill(net: Localnet, options: { payments: number }): Promise<Report> {
  const { load, judge } = await loadOn(net, { ratePerS: 2_000, cancelsPercent: 2 });
  await load.run(options.payments);
  const faults = await judge();
  const chain = await judgeChain(nodesOf(net));
  return {
    faults: [...faults, ...chain.faults],
    lines: [`mempools of 100: ${load.acknowledged} payments acknowledged and settled, ${chain.height} blocks`],
  };
}
