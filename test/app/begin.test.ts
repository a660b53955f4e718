/** What every process of ours begins with. */
import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';

/** Prints the flags of V8 that beginProcess sets: which are in effect cannot be asked. */
const FLAGS_SET = `
  import v8 from 'node:v8';
  import { syncBuiltinESMExports } from 'node:module';
  const flags = [];
  v8.setFlagsFromString = (flag) => flags.push(flag);
  syncBuiltinESMExports();
  const { beginProcess } = await import('./server/app/begin.ts');
  beginProcess('error');
  console.log(JSON.stringify(flags));
`;

test('all objects are made young, whatever lived long before', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', FLAGS_SET], { cwd: ROOT });
  expect(JSON.parse(stdout)).toEqual(['--no-allocation-site-pretenuring']);
});
