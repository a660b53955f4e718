/**
 * The results of a block's transactions, from their bytes and the codes that were recorded or received: nothing else about them is needed.
 */
import { CODES, CODESPACE, decodeTransaction, eventsOf, isExecuted, type TxResult } from '../ledger/index.ts';

/** The result of one transaction in a block, as block_results shows it. */
export type StoredResult = Pick<TxResult, 'code' | 'codespace' | 'log' | 'events'>;

/** A result whose code is not 0. Every other one has no log, and its events follow from the transaction. */
export type Failure = readonly [index: number, code: number, log: string];

/** The part of a block's results that has to be recorded. */
export function failuresOf(results: readonly Pick<TxResult, 'code' | 'log'>[]): Failure[] {
  return results.flatMap(({ code, log }, index) => (code === CODES.ok ? [] : [[index, code, log] as const]));
}

/** The result of the transaction at `index`. */
export function resultAt(raw: Uint8Array, index: number, failures: readonly Failure[]): StoredResult {
  return resultOf(
    raw,
    failures.find(([at]) => at === index),
  );
}

/** The results of a whole block. */
export function resultsOf(raws: readonly Uint8Array[], failures: readonly Failure[]): StoredResult[] {
  const byIndex = new Map(failures.map((failure) => [failure[0], failure]));
  return raws.map((raw, index) => resultOf(raw, byIndex.get(index)));
}

/** The code of each transaction of a block, in order. */
export function codesOf(transactionCount: number, failures: readonly Failure[]): number[] {
  const codes = Array.from({ length: transactionCount }, (): number => CODES.ok);
  for (const [index, code] of failures) codes[index] = code;
  return codes;
}

function resultOf(raw: Uint8Array, failure: Failure | undefined): StoredResult {
  const [, code, log] = failure ?? [0, CODES.ok, ''];
  return { code, codespace: code === CODES.ok ? '' : CODESPACE, log, events: eventsOfBytes(raw, code) };
}

function eventsOfBytes(raw: Uint8Array, code: number): StoredResult['events'] {
  // A refused transaction may be arbitrary bytes.
  if (!isExecuted(code)) return [];
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) throw new Error(`an executed transaction cannot be read again: ${decoded.refusal.log}`);
  return eventsOf(decoded.tx, code);
}
