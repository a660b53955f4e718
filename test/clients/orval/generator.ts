import { linesOf, type Generator } from '../support/generator.ts';
import { compile, job, npmProgram } from '../support/typescript.ts';

export const generator: Generator = {
  name: 'orval 8.33.0 (fetch)',
  contract: 'openapi.yaml',
  strictness: 'tsc --strict, skipLibCheck off',
  expected: [],
  async generate(place) {
    const output = await npmProgram(place, 'orval', [
      '--input',
      place.contract,
      '--output',
      'generated/api.ts',
      '--client',
      'fetch',
    ]);
    return { complaints: linesOf(output, /warn|error|⚠/i) };
  },
  compile: (place) => compile(place, 'orval'),
  job,
};
