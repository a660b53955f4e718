import { cp } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../support/command.ts';
import { linesOf, type Generator } from '../support/generator.ts';
import { EXPECTED, generate, OPEN_ANSWERS, VERSION } from '../support/openapi-generator.ts';

const LOAD_ALL = "Dir['generated/lib/**/*.rb'].sort.each { |file| require File.expand_path(file) }";

export const generator: Generator = {
  name: `openapi-generator ${VERSION} ruby (Typhoeus)`,
  // Of the whole contract it makes a client that raises at each transaction: it matches the pattern of a time with a Time.
  contract: 'openapi.client.json',
  strictness: 'ruby -w: every file loaded, a warning is a complaint',
  expected: [
    ...EXPECTED,
    {
      complaint: /generated\/lib\/ledger\/.*: warning: method redefined; discarding old [a-z_]+=$/,
      reason: 'its template declares a member with attr_accessor, and then writes the setter that checks it',
    },
  ],
  generate: (place) => generate(place, 'ruby', ['gemName=ledger', 'moduleName=Ledger', OPEN_ANSWERS]),
  async compile({ folder }) {
    for (const file of ['main.rb', 'signer.rb'])
      await cp(path.join(import.meta.dirname, file), path.join(folder, file));
    const loaded = await run({ program: 'ruby', args: ['-w', '-I', 'generated/lib', '-e', LOAD_ALL], folder });
    const own = await run({ program: 'ruby', args: ['-wc', 'main.rb'], folder });
    return { complaints: linesOf(`${loaded}\n${own}`, /warning|error/i) };
  },
  job: ({ folder, developmentFile }) =>
    run({ program: 'ruby', args: ['-I', 'generated/lib', 'main.rb', developmentFile], folder }),
};
