/** Runs the chosen checks against one server, in order, and tells of each as it is known. */
import type { Check } from './check.ts';
import { Broken, Skipped } from './expect.ts';
import { ACCESS_CHECKS } from './checks/access.ts';
import { ACCOUNT_CHECKS } from './checks/accounts.ts';
import { BATCH_CHECKS } from './checks/batch.ts';
import { CATALOGUE_CHECKS } from './checks/catalogue.ts';
import { CONTRACT_CHECKS } from './checks/contract.ts';
import { DOCUMENT_CHECKS } from './checks/documents.ts';
import { EVENT_CHECKS } from './checks/events.ts';
import { HEADER_CHECKS } from './checks/headers.ts';
import { IDEMPOTENCY_CHECKS } from './checks/idempotency.ts';
import { LIST_CHECKS } from './checks/list.ts';
import { PROMISE_CHECKS } from './checks/promises.ts';
import { RECEIPT_CHECKS } from './checks/receipts.ts';
import { RPC_CHECKS } from './checks/rpc.ts';
import { STATEMENT_CHECKS } from './checks/statements.ts';
import { STRICT_JSON_CHECKS } from './checks/strict-json.ts';
import { TRANSFER_CHECKS } from './checks/transfers.ts';
import { WEBHOOK_CHECKS } from './checks/webhooks.ts';
import { WORKFLOW_CHECKS } from './checks/workflows.ts';
import { ACCOUNT_FUNDS, Session, type Receiver, type Tokens } from './session.ts';
import type { Account } from './signer.ts';

export const CHECKS: readonly Check[] = [
  ...CONTRACT_CHECKS,
  ...WORKFLOW_CHECKS,
  ...TRANSFER_CHECKS,
  ...IDEMPOTENCY_CHECKS,
  ...BATCH_CHECKS,
  ...ACCOUNT_CHECKS,
  ...LIST_CHECKS,
  ...RECEIPT_CHECKS,
  ...STATEMENT_CHECKS,
  ...EVENT_CHECKS,
  ...WEBHOOK_CHECKS,
  ...ACCESS_CHECKS,
  ...DOCUMENT_CHECKS,
  ...CATALOGUE_CHECKS,
  ...STRICT_JSON_CHECKS,
  ...HEADER_CHECKS,
  ...RPC_CHECKS,
  ...PROMISE_CHECKS,
];

/** No check takes as long; one that does has met a server that does not answer. */
const CHECK_MS_MAX = 120_000;

export interface Result {
  readonly id: string;
  readonly promise: string;
  readonly where: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why, unless it passed. */
  readonly message?: string;
  readonly seconds: number;
}

export interface Report {
  readonly baseUrl: string;
  readonly chainId: string;
  readonly results: readonly Result[];
  /** What was given to accounts of the checks and could not be sent back, in minor units. */
  readonly notReturned: bigint;
  /** By name: the operations of the contract that were called, and the others. */
  readonly called: readonly string[];
  readonly uncalled: readonly string[];
  readonly seconds: number;
}

export interface RunOptions extends Tokens {
  readonly baseUrl: string;
  /** Derives the account that pays for the checks, once the chain's prefix is known. */
  readonly bankOf: (prefix: string) => Account;
  /** Ids, or groups: the part before the dot. All when empty. */
  readonly only?: readonly string[];
  /** Called before anything is sent, with what the checks need. */
  readonly onStart?: (session: Session, checks: readonly Check[], funds: number) => void;
  readonly onResult?: (result: Result) => void;
  /** Where the kit listens for webhooks; absent: on loopback, for a server on this machine. */
  readonly receiver?: Receiver | undefined;
  /** Leave the money where it is, for servers that are thrown away. */
  readonly keep?: boolean;
}

/** @throws RangeError when a name is no check. */
export function chosenChecks(only: readonly string[] = []): readonly Check[] {
  const matches = ({ id }: Check, name: string): boolean => id === name || id.split('.')[0] === name;
  for (const name of only)
    if (!CHECKS.some((check) => matches(check, name)))
      throw new RangeError(`there is no check or group ${name}; see --list`);
  return only.length === 0 ? CHECKS : CHECKS.filter((check) => only.some((name) => matches(check, name)));
}

export async function runKit(options: RunOptions): Promise<Report> {
  const startedMs = performance.now();
  const checks = chosenChecks(options.only);
  const { baseUrl, token, readToken, otherToken, revokedToken, adminToken, receiver } = options;
  const tokens = { token, readToken, otherToken, revokedToken, adminToken };
  const session = await Session.open(baseUrl, tokens, options.bankOf, receiver);
  const accounts = checks.reduce((sum, check) => sum + (check.accounts ?? 0), 0);
  options.onStart?.(session, checks, accounts * ACCOUNT_FUNDS);
  // A server that cannot even do this fails the checks that need an account, one by one and by their names.
  await session.prepare(accounts).catch(() => undefined);

  const waiting = new Map(
    checks.filter(({ background }) => background).map((check) => [check, resultOf(check, session)]),
  );
  const results: Result[] = [];
  for (const check of [...checks.filter((each) => !waiting.has(each)), ...waiting.keys()]) {
    const result = await (waiting.get(check) ?? resultOf(check, session));
    results.push(result);
    options.onResult?.(result);
  }
  const notReturned = options.keep ? BigInt(accounts * ACCOUNT_FUNDS) : await session.sweep();
  const called = await session.calledOperations().catch(() => new Set<string>());
  const all = await session.contract().then(
    ({ operations }) => [...operations.keys()],
    () => [],
  );
  return {
    baseUrl,
    chainId: session.chainId,
    results,
    notReturned,
    called: [...called],
    uncalled: all.filter((name) => !called.has(name)),
    seconds: since(startedMs),
  };
}

async function resultOf({ id, promise, where, run }: Check, session: Session): Promise<Result> {
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Broken(`not decided within ${CHECK_MS_MAX / 1000} s`)), CHECK_MS_MAX);
  });
  try {
    await Promise.race([run(session), late]);
    return { id, promise, where, outcome: 'passed', seconds: since(startedMs) };
  } catch (error) {
    const outcome = error instanceof Skipped ? 'skipped' : 'failed';
    return {
      id,
      promise,
      where,
      outcome,
      message: error instanceof Error ? error.message : String(error),
      seconds: since(startedMs),
    };
  } finally {
    clearTimeout(timer);
  }
}

const since = (startedMs: number): number => Math.round(performance.now() - startedMs) / 1000;
