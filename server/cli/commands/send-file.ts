/** `txledger send --file`: pays the payments of a file, or previews them with --dry-run. @module */
import { asker } from '../ask.ts';
import type { SenderOptions } from '../accounts.ts';
import { senderKeyOf } from '../accounts.ts';
import { amountsIn } from '../amounts.ts';
import { connect, type ConnectionOptions } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { note, print, printError, wantsJson } from '../output.ts';
import { faultsError } from '../payments/file-faults.ts';
import { payFile } from '../payments/pay-file.ts';
import { readPayments } from '../payments/payment-file.ts';
import { isOpen, planPayments, type Plan, type PlanOptions } from '../payments/plan.ts';
import { describePreview, previewPayments, type Preview } from '../payments/preview.ts';
import { OUTCOMES, resultFileOf } from '../payments/result-file.ts';
import { progressBar, withProgress } from '../progress.ts';

export interface SendFileOptions extends ConnectionOptions, SenderOptions {
  readonly file: string;
  readonly result?: string;
  /** Milliseconds. */
  readonly validFor?: number;
  readonly validUntil?: Date;
  readonly yes: boolean;
}

/** The common beginning of a run and a preview. The time in which a person reads a preview does not count. */
async function begin(options: SendFileOptions): Promise<{
  planOptions: Omit<PlanOptions, 'payments'>;
  leftMs: () => number;
  restartTime: () => void;
}> {
  let endMs = performance.now() + options.timeout;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  const signal = interruption();
  return {
    planOptions: {
      client: connect(options),
      key: await senderKeyOf(options),
      resultFile: resultFileOf(options.file, options.result),
      validFor: options.validFor,
      validUntil: options.validUntil,
      limits: () => ({ timeoutMs: leftMs(), signal }),
    },
    leftMs,
    restartTime: () => void (endMs = performance.now() + options.timeout),
  };
}

function insufficient({ account, chain }: Plan, total: bigint, before: readonly string[] = []): CommandError {
  const show = amountsIn(chain.currency);
  const why = `The payments come to ${show(total)}; ${account.address} can spend ${show(account.available)}. Nothing was sent.`;
  return new CommandError([...before, why].join('\n'), 'refused', { code: 'insufficient_funds' });
}

const sumOf = (results: Plan['results']): bigint => results.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

async function preview(options: PlanOptions): Promise<[Plan, Preview]> {
  const plan = await planPayments(options);
  return [plan, await previewPayments(options.client, plan, options.limits)];
}

/**
 * @throws CommandError with all faults of the file. If the service can be reached, these include the faults that only the service can
 * detect.
 */
export async function previewFile(options: SendFileOptions): Promise<void> {
  const { file } = options;
  const { payments, faults } = readPayments(file);
  const looked = (async () => {
    const { planOptions } = await begin(options);
    // The results of an earlier run belong to the whole file.
    const resultFile = faults.length === 0 ? planOptions.resultFile : '';
    return preview({ ...planOptions, payments, resultFile });
  })();
  const [plan, found] = await withProgress('looking up', looked).catch((error: unknown) => {
    throw faults.length === 0 ? error : faultsError(file, faults);
  });
  const all = [...faults, ...found.faults];
  if (all.length > 0) throw faultsError(file, all);
  const lines = ['dry run: nothing was sent', ...describePreview(found, plan.chain)];
  if (BigInt(found.after) < 0n) throw insufficient(plan, BigInt(found.total), lines);
  print({ file, ...found }, lines);
}

/** Asks for consent if there is a terminal. A script without a terminal is not stopped: its file was checked before. */
async function agree(options: PlanOptions & { file: string; yes: boolean }): Promise<void> {
  const ask = options.yes ? undefined : asker();
  if (ask === undefined) return;
  const [plan, found] = await withProgress('looking up', preview(options));
  if (found.faults.length > 0) throw faultsError(options.file, found.faults);
  if (!plan.results.some(isOpen)) return;
  for (const line of describePreview(found, plan.chain)) {
    if (wantsJson()) printError(line);
    else note(line);
  }
  if (!(await ask(`Sign and send ${found.toSend} payments?`)))
    throw new CommandError('Nothing was sent.', 'refused', { code: 'not_agreed' });
}

export async function sendFile(options: SendFileOptions): Promise<void> {
  const { file } = options;
  const { payments, faults } = readPayments(file);
  if (faults.length > 0) throw faultsError(file, faults);
  const { planOptions, leftMs, restartTime } = await begin(options);
  const { client, resultFile } = planOptions;
  await agree({ ...planOptions, payments, file, yes: options.yes });
  restartTime();
  // Planned again, because other transfers may have used nonces while a person was reading.
  const plan = await planPayments({ ...planOptions, payments });
  if (plan.faults.length > 0) throw faultsError(file, plan.faults);
  const { results, resumed, account, known } = plan;
  const total = sumOf(results.filter((result) => isOpen(result) && !known.has(result)));
  if (!resumed && total > BigInt(account.available)) throw insufficient(plan, total);
  const from = account.address;
  const bar = progressBar('sending');
  try {
    await payFile(plan, {
      client,
      resultFile,
      signal: interruption(),
      leftMs,
      bar,
      onKept: () => {
        const nonces = results.map(({ nonce }) => nonce);
        note(
          `signed     ${results.length} transfers of ${from}, nonces ${Math.min(...nonces)} to ${Math.max(...nonces)}`,
        );
        note(`pays       ${amountsIn(plan.chain.currency)(sumOf(results))} together`);
        note(`kept       ${resultFile}${resumed ? '  of an earlier run: nothing is paid twice' : ''}`);
      },
    });
  } finally {
    bar.clear();
  }
  const counts = Object.fromEntries(
    OUTCOMES.map((name) => [name, results.filter(({ outcome }) => outcome === name).length]),
  ) as Record<(typeof OUTCOMES)[number], number>;
  const facts = { result: resultFile, from, payments: results.length, ...counts };
  const lines = OUTCOMES.filter((name) => counts[name] > 0).map((name) => `${name.padEnd(9)}  ${counts[name]}`);
  if (counts.accepted + counts.replayed === results.length) return print(facts, lines);
  const first = results.find(({ outcome }) => outcome === 'refused');
  const why =
    first === undefined
      ? 'What became of some payments is not known, or they were not sent.'
      : `Payment ${results.indexOf(first) + 1} was refused (${first.code}): ${first.detail}`;
  const rest = `${resultFile} tells it for each. Later payments wait for those before them. Run the same command again to send what is missing; nothing is paid twice.`;
  const undecided = counts.unknown > 0 || first === undefined;
  throw new CommandError([...lines, why, rest].join('\n'), undecided ? 'unknown' : 'refused', {
    code: undecided ? 'undecided' : first.code,
    ...facts,
  });
}
