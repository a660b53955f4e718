import { rm } from 'node:fs/promises';
import path from 'node:path';
import { compile, job, prepare } from '../support/go.ts';
import type { Generator } from '../support/generator.ts';
import { EXPECTED, generate, OPEN_ANSWERS, VERSION } from '../support/openapi-generator.ts';

export const generator: Generator = {
  name: `openapi-generator ${VERSION} go`,
  // Of the whole contract it makes a union that takes the first kind, by the alphabet, whose required members are there: a status does not tell.
  contract: 'openapi.client.json',
  strictness: 'go build, go vet',
  expected: [
    ...EXPECTED,
    {
      complaint: /type \(reserved word\) cannot be used as (parameter|model) name/,
      reason: 'the parameter `type` of listEvents; it is `Type` and `type_` there',
    },
  ],
  async generate(place) {
    await prepare(place, 'openapi-generator-go');
    // Values of enums are constants of one package: without the prefix those of two enums collide.
    const options = ['packageName=ledger', 'enumClassPrefix=true', 'withGoMod=false', OPEN_ANSWERS];
    const step = await generate(place, 'go', options, ['-o', 'ledger']);
    await rm(path.join(place.folder, 'ledger', 'test'), { recursive: true, force: true });
    return step;
  },
  compile,
  job,
};
