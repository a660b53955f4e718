import { EXPECTED, generate, OPEN_ANSWERS, VERSION } from '../support/openapi-generator.ts';
import type { Generator } from '../support/generator.ts';
import { compile, job } from '../support/python.ts';

export const generator: Generator = {
  name: `openapi-generator ${VERSION} python`,
  contract: 'openapi.yaml',
  strictness: 'mypy; --strict for the program',
  expected: [
    ...EXPECTED,
    {
      complaint: /Codegen property is null \(e\.g\. map\/dict of undefined type\)/,
      reason: 'a result of JSON-RPC has no type: each method has its own',
    },
    {
      complaint: /From \(reserved word\) cannot be used as model name/,
      reason: 'the parameter `from`; the member of the models is `var_from`',
    },
    {
      complaint: /error: Name "List" is not defined/,
      reason:
        'the template forgets an import in a model that is closed (a request); Python does not read that annotation',
    },
  ],
  generate: (place) => generate(place, 'python', ['packageName=ledger', OPEN_ANSWERS]),
  compile: (place) => compile(place, 'openapi-generator-python', 'ledger', false),
  job,
};
