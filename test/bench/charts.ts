/** `node test/bench/charts.ts`: draws what `npm run bench:scale` recorded in docs/bench, one SVG a figure, a line a build. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Chart, chartSvg } from './chart-svg.ts';
import { type Build, buildsOf, readResults, RESULTS } from './report/recorded-results.ts';
import type { ScalePoint } from './scale/points.ts';

const READS = { 'list-head': 'list head', 'list-middle': 'list middle', 'list-oldest': 'list oldest', 'by-id': 'by id', 'account-list': 'account list', statement: 'statement', 'tx-search': 'tx_search' };

const FIGURES: Record<string, { title: string; unit: string; of(point: ScalePoint): number | undefined }> = {
  'accept-cpu': { title: 'Accepting a transfer: processor time', unit: 'us', of: ({ accept }) => accept.cpuUs },
  'accept-written': { title: 'Accepting a transfer: bytes written to disk', unit: 'bytes', of: ({ accept }) => accept.diskBytes },
  kept: { title: 'Kept on disk for each transfer', unit: 'bytes', of: ({ keptBytes }) => keptBytes },
  start: { title: 'Start until ready', unit: 'ms', of: ({ startMs }) => startMs.median },
  'start-rss': { title: 'Resident memory after a start', unit: 'MiB', of: ({ startRssMib }) => startRssMib },
  ...Object.fromEntries(Object.entries(READS).map(([file, read]) => [file, { title: `GET ${read}: processor time`, unit: 'us', of: ({ reads }: ScalePoint) => reads[read]?.cpuUs }])),
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

if (import.meta.main) {
  const drawn = Object.entries(charts(buildsOf(readResults())));
  for (const [file, chart] of drawn) writeFileSync(path.join(RESULTS, file), chartSvg(chart));
  console.log(`${drawn.length} charts in docs/bench`);
}
