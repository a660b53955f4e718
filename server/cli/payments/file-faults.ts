/** Reports all faults of a file of payments in one failure. @module */
import { CommandError } from '../failure.ts';

/** Place of a row: a line of CSV or an item of JSON, both counted from 1. */
export type Place = { readonly line: number } | { readonly item: number };

export type FileFault = Partial<Place> & {
  /** Name of the column, or of the member in JSON. Absent for a fault of the row or of the whole file. */
  readonly member?: string;
  readonly message: string;
};

/** More lines than this push the first ones off a screen. --json has all of them. */
const FAULTS_SHOWN_MAX = 100;

export const placeOf = (place: Partial<Place>): string =>
  'line' in place ? `line ${place.line}` : 'item' in place ? `item ${place.item}` : '';

function describe(fault: FileFault): string {
  const where = [placeOf(fault), fault.member].filter(Boolean).join(', ');
  return `  ${where === '' ? '' : `${where}: `}${fault.message}`;
}

const rank = (fault: FileFault): number => ('line' in fault ? fault.line : 'item' in fault ? fault.item : 0) ?? 0;

export function faultsError(file: string, faults: readonly FileFault[]): CommandError {
  const inOrder = faults.toSorted((a, b) => rank(a) - rank(b));
  const more = inOrder.length - FAULTS_SHOWN_MAX;
  const lines = [
    `${file} has ${inOrder.length === 1 ? 'a fault' : `${inOrder.length} faults`}. Nothing was sent.`,
    ...inOrder.slice(0, FAULTS_SHOWN_MAX).map(describe),
    ...(more > 0 ? [`  and ${more} more: --json lists all of them`] : []),
  ];
  return new CommandError(lines.join('\n'), 'usage', { code: 'invalid_file', file, faults: inOrder });
}
