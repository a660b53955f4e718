/** Runs the chosen checks against one server, in order, and tells of each as it is known. */
import type { Check } from './check.ts';
import { Broken, Skipped } from './expect.ts';
import { ACCOUNT_CHECKS } from './checks/accounts.ts';
import { BATCH_CHECKS } from './checks/batch.ts';
import { CATALOGUE_CHECKS } from './checks/catalogue.ts';
import { CONTRACT_CHECKS } from './checks/contract.ts';
import { HEADER_CHECKS } from './checks/headers.ts';
import { IDEMPOTENCY_CHECKS } from './checks/idempotency.ts';
import { LIST_CHECKS } from './checks/list.ts';
import { RPC_CHECKS } from './checks/rpc.ts';
import { STRICT_JSON_CHECKS } from './checks/strict-json.ts';
import { TRANSFER_CHECKS } from './checks/transfers.ts';
import { WORKFLOW_CHECKS } from './checks/workflows.ts';
import { ACCOUNT_FUNDS, Session, type Tokens } from './session.ts';
import type { Account } from './signer.ts';

export const CHECKS: readonly Check[] = [
  ...CONTRACT_CHECKS,
  ...WORKFLOW_CHECKS,
  ...TRANSFER_CHECKS,
  ...IDEMPOTENCY_CHECKS,
  ...BATCH_CHECKS,
  ...ACCOUNT_CHECKS,
  ...LIST_CHECKS,
  ...CATALOGUE_CHECKS,
  ...STRICT_JSON_CHECKS,
  ...HEADER_CHECKS,
  ...RPC_CHECKS,
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
  const { baseUrl, token, readToken, otherToken, revokedToken } = options;
  const session = await Session.open(baseUrl, { token, readToken, otherToken, revokedToken }, options.bankOf);
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
  return { baseUrl, chainId: session.chainId, results, notReturned, seconds: since(startedMs) };
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
