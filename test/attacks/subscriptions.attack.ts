/**
 * A thousand websockets with five subscriptions each, from fifty addresses: once with queries that never match, once
 * with five that all match every block, while a thousand transfers are paid. It cost the landed build 5.8 s of silence.
 */
import { readFileSync } from 'node:fs';
import { attack } from './sockets.ts';
import { signPayments } from './payments.ts';
import { checkoutOfArguments, probe, report, Target } from './target.ts';

const SOCKETS = 1000;
const ADDRESSES = 50;
const PER_ACCOUNT = 100;
const PAYMENTS_MS_MAX = 15_000;
/** Without subscriptions a payment takes under 1 ms of the HTTP thread; the landed build took 6 when nothing ever matched. */
const CPU_MS_PER_PAYMENT_MAX = 3;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

const NEVER = [
  "tm.event = 'Tx' AND transfer.sender = 'nobody-#'",
  "tm.event = 'Tx' AND tx.hash = '#'",
  "tm.event = 'NewBlock' AND stake.amount > #",
  "nothing CONTAINS '#'",
  "tm.event = 'Tx' AND tx.height > 1000000000#",
];
const ALWAYS = [
  "tm.event='NewBlockHeader'",
  "tm.event = 'NewBlockHeader'",
  "tm.event ='NewBlockHeader'",
  "tm.event= 'NewBlockHeader'",
  " tm.event='NewBlockHeader'",
];

/** The longest turn of the HTTP thread since this was asked the last time. */
async function lagMaxMs({ baseUrl }: Target): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000);
}

/** CPU time of the HTTP thread, which is the process's first: unlike time on the clock it does not grow with what else the machine does. */
function httpThreadCpuMs({ pid }: Target): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const checkout = checkoutOfArguments();
for (const [name, queries] of [
  ['never', NEVER],
  ['always', ALWAYS],
] as const) {
  // Writing the compile cache stops the process once, some seconds after its first start; that is another matter.
  const target = await Target.start({ command: 'start', checkout, variables: { NODE_DISABLE_COMPILE_CACHE: '1' } });
  const url = `${target.baseUrl.replace('http', 'ws')}/rpc/websocket`;
  const attacker = await attack({ url, addresses: ADDRESSES, sockets: SOCKETS, queries, reads: true }).catch(
    async (error: unknown) => {
      await target.stop();
      throw error;
    },
  );
  try {
    const quietMib = target.residentMib();
    const payments = await signPayments(target, PER_ACCOUNT);
    await lagMaxMs(target);
    const cpuBeforeMs = httpThreadCpuMs(target);
    const livez = probe(`${target.baseUrl}/livez`);
    const executed = await payments.pay(PAYMENTS_MS_MAX);
    const latencies = await livez.stop();
    const cpuMs = httpThreadCpuMs(target) - cpuBeforeMs;
    const httpThreadLagMaxMs = await lagMaxMs(target);
    const counts = await attacker.counts();
    const held =
      executed === payments.count &&
      latencies.failed === 0 &&
      counts.closed === 0 &&
      counts.subscribed === SOCKETS * queries.length &&
      (name === 'never' ? cpuMs < payments.count * CPU_MS_PER_PAYMENT_MAX : counts.events > 0);
    report(`subscriptions ${name}`, target, held, {
      livez: latencies,
      httpThreadCpuMs: cpuMs,
      httpThreadLagMaxMs,
      executed,
      ...counts,
      quietMib: Math.round(quietMib),
      residentMib: Math.round(target.residentMib()),
    });
  } finally {
    await attacker.stop();
    await target.stop();
  }
}
