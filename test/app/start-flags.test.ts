/** A server runs on Node.js as it is: no way to start one gives flags to V8. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';

/** What starts a server, and what documents how. */
const PLACES = [
  'package.json',
  'scripts/bin/node',
  'server/cli/*.js',
  'ops/**/*',
  '.devcontainer/*',
  'README.md',
  'server/README.md',
  'docs/*.md',
];
/** Options of the command line that Node.js hands on to V8, but for the bound of the heap, which is the operator's; and what sets one later. */
const FLAG =
  /--(?:max[-_]semi|min[-_]semi|semi[-_]space|heap[-_]growing|(?:no[-_])?allocation[-_]site|v8[-_]|gc[-_]|(?:no[-_])?opt\b|(?:no[-_])?compact|optimize|(?:no[-_])?flush)[\w-]*|setFlagsFromString/;

const files = globSync(PLACES, { cwd: ROOT, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));

test('no place that starts a server, or says how, names a flag of V8', () => {
  expect(files).toEqual(expect.arrayContaining(['package.json', 'server/cli/bin.js', 'server/cli/packed.js']));
  expect(files.filter((file) => FLAG.test(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
});

test('between Node.js and what it runs is nothing', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts).toMatchObject({
    start: '${RUN_BY:-exec} scripts/bin/node server/cli/bin.js start',
    serve: '${RUN_BY:-exec} scripts/bin/node server/cli/bin.js serve',
  });
  const units = files.filter((file) => /txledger[\w-]*\.service$/.test(file));
  expect(units).toHaveLength(3);
  for (const unit of units)
    expect(readFileSync(path.join(ROOT, unit), 'utf8')).toMatch(
      /^ExecStart=\/usr\/bin\/node \/\S+\/txledger\.js \w+$/m,
    );
  expect(readFileSync(path.join(ROOT, 'ops/container/Containerfile'), 'utf8')).toContain(
    '\nENTRYPOINT ["/usr/local/bin/node", "/app/bin/txledger.js"]\n',
  );
});
