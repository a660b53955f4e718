import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';

/** What a stock CometBFT v0.38.26 node was recorded to answer. */
export interface Golden {
  request: { method: string; path: string; body?: unknown };
  httpStatus: number;
  body: any;
}

export function readGolden(name: string): Golden {
  return JSON.parse(readFileSync(path.join(ROOT, 'test/http/golden', `${name}.json`), 'utf8'));
}
