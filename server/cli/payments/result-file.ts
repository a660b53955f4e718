/**
 * The outcome of each payment of a file, with its nonce and hash. It is written before anything is sent, so that a run after a crash sends
 * the same transfers again and pays nothing twice.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isNonce } from '../amounts.ts';
import { CommandError } from '../failure.ts';
import { faultsError } from './file-faults.ts';
import type { FilePayment } from './payment-file.ts';
import { readTable, writeTable } from './table-file.ts';

export const OUTCOMES = ['accepted', 'replayed', 'refused', 'unknown', 'unsent'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface PaymentResult {
  readonly to: string;
  readonly amount: string;
  readonly reference: string | undefined;
  /** The signed value; whole Unix seconds. */
  validUntil: number | undefined;
  nonce: number;
  txHash: string;
  outcome: Outcome;
  /** Code of a refusal. */
  code: string;
  detail: string;
}

const COLUMNS = ['to', 'amount', 'reference', 'validUntil', 'nonce', 'txHash', 'outcome', 'code', 'detail'] as const;
/** Members that are missing in result files of earlier versions. */
const ADDED: readonly string[] = ['reference', 'validUntil'];
const HASH = /^[0-9A-F]{64}$/;

/**
 * Extensions of payment files that give the result file its own. The result file is CSV or JSON even if the payments are text of another
 * program.
 */
const EXTENSIONS: readonly string[] = ['.csv', '.json'];

/** Returns the path: beside the payments unless another file is named, because without a result file a second run would pay again. */
export function resultFileOf(file: string, named: string | undefined): string {
  if (named !== undefined && !EXTENSIONS.includes(path.extname(named).toLowerCase()))
    throw new CommandError(`${named} must end in .csv or .json, which says how it is written.`);
  const given = path.extname(file);
  const extension = EXTENSIONS.includes(given.toLowerCase()) ? given : '.csv';
  return named ?? path.join(path.dirname(file), `${path.basename(file, given)}.result${extension}`);
}

const differs = (file: string, why: string): CommandError =>
  new CommandError(
    `${file} holds the results of other payments: ${why}. Name another file with --result, or use the payments that it was made from.`,
  );

/** Reads the results of an earlier run of these payments; undefined without one. `expectSameAmounts` compares the amounts. */
export function readResults(file: string, payments: readonly FilePayment[]): PaymentResult[] | undefined {
  if (!existsSync(file)) return undefined;
  const { rows, faults } = readTable(file, {
    required: COLUMNS.filter((name) => !ADDED.includes(name)),
    optional: ADDED,
  });
  if (faults.length > 0) throw faultsError(file, faults);
  if (rows.length !== payments.length)
    throw differs(file, `it has ${rows.length} rows, and there are ${payments.length} payments`);
  return rows.map(
    (
      {
        cells: {
          to = '',
          amount = '',
          reference = '',
          validUntil = '',
          nonce = '',
          txHash = '',
          outcome = '',
          code = '',
          detail = '',
        },
      },
      index,
    ) => {
      const payment = payments[index] as FilePayment;
      if (to !== payment.to) throw differs(file, `row ${index + 1} pays ${to}`);
      if (reference !== (payment.reference ?? ''))
        throw differs(file, `row ${index + 1} has the reference ${JSON.stringify(reference)}`);
      if (payment.validUntil !== undefined && validUntil !== `${payment.validUntil}`)
        throw differs(file, `row ${index + 1} is valid until ${validUntil || 'it executes'}`);
      const known = OUTCOMES.find((name) => name === outcome);
      if (known === undefined || !HASH.test(txHash) || !isNonce(nonce) || !/^([1-9][0-9]*)?$/.test(validUntil))
        throw new CommandError(`${file}, row ${index + 1}: nonce, txHash or outcome is none that this command wrote.`);
      return {
        to,
        amount,
        reference: payment.reference,
        validUntil: validUntil === '' ? undefined : Number(validUntil),
        nonce: Number(nonce),
        txHash,
        outcome: known,
        code,
        detail,
      };
    },
  );
}

/** @param payments with their amounts in minor units, as the file has them. */
export function expectSameAmounts(
  file: string,
  results: readonly PaymentResult[],
  payments: readonly FilePayment[],
): void {
  for (const [index, { amount, to }] of results.entries())
    if (amount !== payments[index]?.amount) throw differs(file, `row ${index + 1} pays ${amount} to ${to}`);
}

/** @returns false if `first` is set and another run has made the file meanwhile. */
export function writeResults(file: string, results: readonly PaymentResult[], { first = false } = {}): boolean {
  return writeTable(
    file,
    COLUMNS,
    results.map((result) => ({
      ...result,
      reference: result.reference ?? '',
      validUntil: `${result.validUntil ?? ''}`,
      nonce: `${result.nonce}`,
    })),
    first,
  );
}
