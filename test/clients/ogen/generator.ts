import { run } from '../support/command.ts';
import { linesOf, type Generator } from '../support/generator.ts';
import { compile, job, prepare } from '../support/go.ts';

export const generator: Generator = {
  name: 'ogen 1.24.0',
  // Of the whole contract it says `discriminator inference not implemented` and makes nothing.
  contract: 'openapi.client.json',
  strictness: 'go build, go vet',
  expected: [
    {
      complaint: /Header name is not canonical, canonical name will be used/,
      reason: 'RateLimit is written so in its draft; names of headers have no case',
    },
    {
      complaint: /Ensuring "status" matching HTTP status code will not be enforced yet/,
      reason: 'said of every problem detail: `status` of the body is not compared with that of the answer',
    },
  ],
  async generate(place) {
    await prepare(place, 'ogen');
    const output = await run({
      program: await place.tools.ogen(),
      args: ['--config', 'ogen.yml', '--target', 'ledger', '--package', 'ledger', place.contract],
      folder: place.folder,
    });
    return { complaints: linesOf(output, /WARN|ERROR/) };
  },
  compile,
  job,
};
