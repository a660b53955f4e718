import { EXPECTED, generate, OPEN_ANSWERS, VERSION } from '../support/openapi-generator.ts';
import type { Generator } from '../support/generator.ts';
import { compile, job } from '../support/typescript.ts';

export const generator: Generator = {
  name: `openapi-generator ${VERSION} typescript-axios`,
  contract: 'openapi.yaml',
  strictness: 'tsc --strict, skipLibCheck off',
  expected: EXPECTED,
  generate: (place) => generate(place, 'typescript-axios', [OPEN_ANSWERS]),
  compile: (place) => compile(place, 'openapi-generator-typescript-axios'),
  job,
};
