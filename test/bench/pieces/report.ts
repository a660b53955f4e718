/** The table of the pieces: a row for each piece of each thread, a column for each scenario. */
import { markdownTable } from '../documents.ts';
import { sum } from '../measure/processor.ts';
import type { Build } from '../report/recorded-results.ts';
import type { PiecesResult } from '../report/result.ts';
import { short } from '../report/summary.ts';

/** Less of it in every column goes into the row of the rest. */
const SHOWN_US_MIN = 1;
const REST = 'the rest';

/** Of a thread that no profile was read of, as those of the compiler and the garbage collector. */
export const WHOLE = 'all of it';

export function piecesText({ scenarios, build, commit }: PiecesResult): string {
  const columns = Object.values(scenarios);
  const threads = [...new Set(columns.flatMap(({ threads }) => Object.keys(threads)))];
  const rows = threads.flatMap((thread) => {
    const of = (piece: string) => columns.map(({ threads }) => threads[thread]?.[piece] ?? 0);
    const pieces = [...new Set(columns.flatMap(({ threads }) => Object.keys(threads[thread] ?? {})))];
    const shown = pieces
      .filter((piece) => Math.max(...of(piece)) >= SHOWN_US_MIN)
      .toSorted((a, b) => Math.max(...of(b)) - Math.max(...of(a)));
    const rest = columns.map((_, at) =>
      pieces.filter((piece) => !shown.includes(piece)).reduce((total, piece) => total + of(piece)[at]!, 0),
    );
    const cells = (values: readonly number[]): string[] => values.map((us) => (us < 0.05 ? '' : short(us)));
    return [
      ...shown.map((piece) => [thread, piece, ...cells(of(piece))]),
      ...(Math.max(...rest) < SHOWN_US_MIN ? [] : [[thread, REST, ...cells(rest)]]),
    ];
  });
  const totals = columns.map(({ threads }) =>
    sum(Object.fromEntries(Object.entries(threads).map(([thread, pieces]) => [thread, sum(pieces)]))),
  );
  const foot = [
    ['**all**', '**microseconds**', ...totals.map((us) => `**${short(us)}**`)],
    [
      '',
      'verifications by node:crypto',
      ...columns.map(({ verificationUs }, at) => short(totals[at]! / verificationUs)),
    ],
  ];
  return `${markdownTable(['Thread', 'Piece', ...columns.map(({ title }) => title)], [...rows, ...foot])}\n\nMicroseconds of processor time for one transfer or one read, ${build} ${commit}.`;
}

/** Of the builds that were taken to pieces. */
export function piecesOf(builds: readonly Build[]): string {
  return builds.flatMap(({ pieces }) => (pieces === undefined ? [] : [piecesText(pieces)])).join('\n\n');
}
