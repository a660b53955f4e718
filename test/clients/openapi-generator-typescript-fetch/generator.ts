import { EXPECTED, generate, OPEN_ANSWERS, VERSION } from '../support/openapi-generator.ts';
import type { Generator } from '../support/generator.ts';
import { compile, job } from '../support/typescript.ts';

export const generator: Generator = {
  name: `openapi-generator ${VERSION} typescript-fetch`,
  contract: 'openapi.yaml',
  strictness: 'tsc --strict, skipLibCheck off',
  expected: EXPECTED,
  generate: (place) => generate(place, 'typescript-fetch', [OPEN_ANSWERS]),
  compile: (place) => compile(place, 'openapi-generator-typescript-fetch'),
  job,
};
