import path from 'node:path';
import { run } from '../support/command.ts';
import { linesOf, type Generator } from '../support/generator.ts';
import { compile, job } from '../support/python.ts';

/** It names the package after the title of the contract. */
const PACKAGE = 'transaction_ledger_api_client';

export const generator: Generator = {
  name: 'openapi-python-client 0.29.1',
  contract: 'openapi.yaml',
  strictness: 'mypy --strict',
  expected: [
    {
      complaint: /^WARNING parsing GET \/openapi\.yaml within contract\./,
      reason: 'an answer that is YAML, which it leaves out',
    },
  ],
  async generate({ tools, contract, folder }) {
    const program = path.join(await tools.python(), 'openapi-python-client');
    const bin = path.dirname(program);
    const env = { PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` };
    const output = await run({
      program,
      args: ['generate', '--path', contract, '--output-path', path.join(folder, 'generated')],
      folder,
      env,
    });
    return { complaints: linesOf(output, /^(WARNING|ERROR)/) };
  },
  compile: (place) => compile(place, 'openapi-python-client', PACKAGE, true),
  job,
};
