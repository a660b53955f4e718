/** `node test/bench/publish.ts` puts what docs/bench has recorded into docs/PERFORMANCE.md: the table, the pieces, the model and the charts. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { chartSvg } from './chart-svg.ts';
import { charts, chartsText } from './charts.ts';
import { replaceBlock } from './documents.ts';
import { modelText } from './model.ts';
import { type Build, buildsOf, readResults, RESULTS } from './report/recorded-results.ts';
import { piecesOf } from './pieces/report.ts';
import { performanceTable } from './table.ts';

export const DOCUMENT = path.join(ROOT, 'docs', 'PERFORMANCE.md');

/** @returns the document with its blocks as the results have them. */
export function published(document: string, builds: readonly Build[]): string {
  const blocks = {
    table: performanceTable(builds),
    charts: chartsText(builds),
    model: modelText(builds),
    pieces: piecesOf(builds),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => replaceBlock(text, name, block), document);
}

if (import.meta.main) {
  const builds = buildsOf(readResults());
  for (const [file, chart] of Object.entries(charts(builds))) writeFileSync(path.join(RESULTS, file), chartSvg(chart));
  writeFileSync(DOCUMENT, published(readFileSync(DOCUMENT, 'utf8'), builds));
}
