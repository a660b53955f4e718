import { linesOf, type Generator } from '../support/generator.ts';
import { compile, job, npmProgram } from '../support/typescript.ts';

export const generator: Generator = {
  name: '@hey-api/openapi-ts 0.99.0',
  contract: 'openapi.yaml',
  strictness: 'tsc --strict, skipLibCheck off',
  expected: [],
  async generate(place) {
    const output = await npmProgram(place, 'openapi-ts', ['-i', place.contract, '-o', 'generated', '--no-log-file']);
    return { complaints: linesOf(output, /warn|error/i) };
  },
  compile: (place) => compile(place, 'hey-api'),
  job,
};
