import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../support/command.ts';
import { linesOf, type Generator } from '../support/generator.ts';
import { compile, job, prepare } from '../support/go.ts';

export const generator: Generator = {
  name: 'oapi-codegen 2.8.2',
  contract: 'openapi.yaml',
  strictness: 'go build, go vet',
  expected: [],
  async generate(place) {
    await prepare(place, 'oapi-codegen');
    await mkdir(path.join(place.folder, 'ledger'));
    const output = await run({
      program: await place.tools.oapiCodegen(),
      args: ['-config', 'oapi-codegen.yaml', '-o', 'ledger/ledger.go', place.contract],
      folder: place.folder,
    });
    return { complaints: linesOf(output, /./) };
  },
  compile,
  job,
};
