/**
 * The outcome of each payment of a file, and the nonce and hash under which it was signed: written before anything is sent, so that a run
 * after a crash sends the very same transfers again and pays nothing twice.
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
  /** As it was signed; whole Unix seconds. */
  validUntil: number | undefined;
  nonce: number;
  txHash: string;
  outcome: Outcome;
  /** Code of a refusal. */
  code: string;
  detail: string;
}

const COLUMNS = ['to', 'amount', 'reference', 'validUntil', 'nonce', 'txHash', 'outcome', 'code', 'detail'] as const;
/** Members that result files of earlier versions do not have. */
const ADDED: readonly string[] = ['reference', 'validUntil'];
const HASH = /^[0-9A-F]{64}$/;

/** The file itself is text of another program; what is written beside it is CSV or JSON. */
const EXTENSIONS: readonly string[] = ['.csv', '.json'];

/** Beside the payments unless another file is named: without it a second run would pay again. */
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

/** The results of an earlier run of these payments; undefined when there was none. `expectSameAmounts` compares the amounts. */
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

/** @returns false when `first` and another run was faster. */
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
