import { cp } from 'node:fs/promises';
import path from 'node:path';
import { linesOf, type Generator } from '../support/generator.ts';
import { compile, job, npmProgram } from '../support/typescript.ts';

export const generator: Generator = {
  name: 'kubb 4.39.3 (fetch)',
  contract: 'openapi.yaml',
  strictness: 'tsc --strict, skipLibCheck off',
  expected: [],
  async generate(place) {
    // Its configuration is a program, which finds its plugins beside itself.
    const config = path.join(await place.tools.npm(), 'kubb.config.mjs');
    await cp(path.join(import.meta.dirname, 'kubb.config.mjs'), config);
    const output = await npmProgram(place, 'kubb', ['generate', '--config', config]);
    return { complaints: linesOf(output, /\bwarn(ing)?\b|✗(?! (spawn prettier|Prettier not found))/i) };
  },
  compile: (place) => compile(place, 'kubb'),
  job,
};
