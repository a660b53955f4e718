/** What the files of ops say, wherever no nginx, Caddy, systemd or container engine is: test/operating/run.ts and test/compose/run.ts run them. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { lacking, uncaughtPlants, UNIT_NAMES, unitFile } from './unit.ts';

const text = (file: string): string => readFileSync(path.join(ROOT, 'ops', file), 'utf8');
/** What is in the file but for its comments. */
const settings = (file: string): string =>
  text(file)
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n');

describe('the proxies', () => {
  /** Whether nginx answers the path itself: a regular expression of a location that returns 404. */
  const keptByNginx = (url: string): boolean =>
    [...settings('proxy/nginx.conf').matchAll(/location ~ (\S+) \{\s*return 404;/g)].some(([, pattern = '']) =>
      new RegExp(pattern).test(url),
    );
  /** The same of Caddy, whose `*` at the beginning of a path stands for anything. */
  const keptByCaddy = (url: string): boolean => {
    const [, patterns = ''] = /@inside path (.+)\n\s*respond @inside 404/.exec(settings('proxy/Caddyfile')) ?? [];
    return patterns
      .split(' ')
      .some((pattern) => (pattern.startsWith('*') ? url.endsWith(pattern.slice(1)) : url === pattern));
  };

  test.each(['', '/ledger', '/a/b'])('keep probes and metrics inside below the path %j of PUBLIC_URL', (prefix) => {
    for (const url of ['/livez', '/readyz', '/metrics'])
      expect([url, keptByNginx(prefix + url), keptByCaddy(prefix + url)]).toEqual([url, true, true]);
    for (const url of ['/transactions', '/events', '/metrics.json', '/rpc/health', '/docs/metrics/x', '/'])
      expect([url, keptByNginx(prefix + url), keptByCaddy(prefix + url)]).toEqual([url, false, false]);
  });
});

describe('the units', () => {
  test.each(UNIT_NAMES)('%s has every directive that is asked of it', (name) =>
    expect(lacking(name, unitFile(name))).toEqual([]),
  );
  test('lack what is taken out of them', () => expect(uncaughtPlants()).toEqual([]));
  test.each(UNIT_NAMES)('%s writes no core and is bounded in memory and threads', (name) => {
    expect(unitFile(name)).toMatch(/^LimitCORE=0$/m);
    expect(unitFile(name)).toMatch(/^MemoryMax=\dG$/m);
    expect(unitFile(name)).toMatch(/^TasksMax=\d{3}$/m);
  });
});

describe('images', () => {
  test('of compose files are variables, so that they can be given by digest', () => {
    const images = readdirSync(path.join(ROOT, 'ops/compose'))
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => [...settings(`compose/${file}`).matchAll(/^\s*image: (.+)$/gm)].map(([, image]) => image));
    expect(images.length).toBeGreaterThan(3);
    for (const image of images) expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[^}]+\}$/);
  });
  test('that the image is built from are arguments', () => {
    const bases = [...settings('container/Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(bases).toEqual(['${NODE_IMAGE}', '${BASE_IMAGE}']);
  });
});
