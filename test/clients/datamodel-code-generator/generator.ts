import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../support/command.ts';
import { linesOf, type Generator } from '../support/generator.ts';
import { compile, job } from '../support/python.ts';

export const generator: Generator = {
  name: 'datamodel-code-generator 0.89.0 (pydantic 2.14.3)',
  // The whole contract compiles but for the type checker: a problem narrows the code of the one that it extends.
  contract: 'openapi.client.json',
  strictness: 'mypy --strict',
  expected: [
    { complaint: /UserWarning: format of 'uint128' not understood/, reason: 'our name for a range; text it stays' },
  ],
  async generate({ tools, contract, folder }) {
    await mkdir(path.join(folder, 'generated'));
    const program = path.join(await tools.python(), 'datamodel-codegen');
    const kind = [
      '--input-file-type',
      'openapi',
      '--output-model-type',
      'pydantic_v2.BaseModel',
      '--target-python-version',
      '3.11',
    ];
    const output = await run({
      program,
      args: [
        '--input',
        contract,
        ...kind,
        '--use-annotated',
        '--formatters',
        'builtin',
        '--output',
        'generated/ledger.py',
      ],
      folder,
    });
    return { complaints: linesOf(output, /Warning:|Error:/) };
  },
  compile: (place) => compile(place, 'datamodel-code-generator', 'ledger', true),
  job,
};
