import { cp } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../support/command.ts';
import { linesOf, type Generator } from '../support/generator.ts';
import { EXPECTED, generate, OPEN_ANSWERS, VERSION } from '../support/openapi-generator.ts';

/** Any notice, warning or deprecation is printed, as text and to where it is read. */
const ALL_ERRORS = ['-d', 'error_reporting=-1', '-d', 'display_errors=stdout', '-d', 'html_errors=0'];

export const generator: Generator = {
  name: `openapi-generator ${VERSION} php (Guzzle)`,
  // Of the whole contract it makes a client that throws at each transaction: it takes the last of the five schemas for all of them.
  contract: 'openapi.client.json',
  strictness: 'php: every file loaded, a notice is an error',
  expected: EXPECTED,
  generate: (place) => generate(place, 'php', ['invokerPackage=Ledger', OPEN_ANSWERS]),
  async compile({ folder }) {
    for (const file of ['load.php', 'main.php', 'signer.php'])
      await cp(path.join(import.meta.dirname, file), path.join(folder, file));
    const output = await run({ program: 'php', args: [...ALL_ERRORS, 'load.php', 'all'], folder });
    await run({ program: 'php', args: [...ALL_ERRORS, '-l', 'main.php'], folder });
    return { complaints: linesOf(output, /./) };
  },
  job: ({ folder, developmentFile }) =>
    run({ program: 'php', args: [...ALL_ERRORS, 'main.php', developmentFile], folder }),
};
