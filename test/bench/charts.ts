/** What `npm run bench:scale` recorded in docs/bench as charts, one a figure, with a line for each build. */
import type { Chart } from './chart-svg.ts';
import { markdownTable } from './documents.ts';
import type { Build } from './report/recorded-results.ts';
import type { ScalePoint } from './scale/points.ts';

const READS = {
  'list-head': 'list head',
  'list-middle': 'list middle',
  'list-oldest': 'list oldest',
  'by-id': 'by id',
  'account-list': 'account list',
  statement: 'statement',
  'tx-search': 'tx_search',
};

const FIGURES: Record<string, { title: string; unit: string; of(point: ScalePoint): number | undefined }> = {
  'accept-cpu': { title: 'Accepting a transfer: processor time', unit: 'us', of: ({ accept }) => accept.cpuUs },
  'accept-written': {
    title: 'Accepting a transfer: bytes written to disk',
    unit: 'bytes',
    of: ({ accept }) => accept.diskBytes,
  },
  kept: { title: 'Kept on disk for each transfer', unit: 'bytes', of: ({ keptBytes }) => keptBytes },
  start: { title: 'Start until ready', unit: 'ms', of: ({ startMs }) => startMs.median },
  'start-rss': { title: 'Resident memory after a start', unit: 'MiB', of: ({ startRssMib }) => startRssMib },
  ...Object.fromEntries(
    Object.entries(READS).map(([file, read]) => [
      file,
      { title: `GET ${read}: processor time`, unit: 'us', of: ({ reads }: ScalePoint) => reads[read]?.cpuUs },
    ]),
  ),
};

/** File name -> chart; a figure that no build has is left out. */
export function charts(builds: readonly Build[]): Record<string, Chart> {
  const all: Record<string, Chart> = {};
  for (const [file, { title, unit, of }] of Object.entries(FIGURES)) {
    const series = builds.flatMap(({ name, scale }) => {
      const points = (scale?.points ?? []).flatMap((point) => {
        const y = of(point);
        return y === undefined ? [] : [{ x: point.rows, y }];
      });
      return points.length === 0 ? [] : [{ name, points }];
    });
    if (series.length > 0) all[`scale-${file}.svg`] = { title, unit, series };
  }
  return all;
}

/** The charts two by two, for a document beside docs/bench. */
export function chartsText(builds: readonly Build[]): string {
  const images = Object.entries(charts(builds)).map(([file, { title }]) => `![${title}](bench/${file})`);
  const rows = Array.from({ length: Math.ceil(images.length / 2) }, (_, row) => [
    images[2 * row]!,
    images[2 * row + 1] ?? '',
  ]);
  return rows.length === 0 ? 'Not recorded.' : markdownTable(['', ''], rows);
}
