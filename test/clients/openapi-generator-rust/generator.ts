import { cp } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../support/command.ts';
import type { Generator } from '../support/generator.ts';
import { EXPECTED, generate, VERSION } from '../support/openapi-generator.ts';

export const generator: Generator = {
  name: `openapi-generator ${VERSION} rust`,
  contract: 'openapi.yaml',
  strictness: 'cargo check --locked, warnings are errors',
  expected: [
    ...EXPECTED,
    {
      complaint:
        /AbstractRustCodegen - .* cannot be used as a (parameter|model|field\/variable|enum|enum variant) name/,
      reason: 'said of every name that is written in another case in Rust',
    },
  ],
  // The version is fixed so that Cargo.lock stays as it is when that of the contract changes.
  generate: (place) => generate(place, 'rust', ['packageName=ledger', 'packageVersion=0.0.0']),
  async compile({ tools, folder }) {
    await cp(path.join(import.meta.dirname, 'Cargo.lock'), path.join(folder, 'generated', 'Cargo.lock'));
    await run({
      program: 'cargo',
      args: ['check', '--locked', '--quiet'],
      folder: path.join(folder, 'generated'),
      env: { CARGO_TARGET_DIR: tools.cargoTarget(), RUSTFLAGS: '-D warnings' },
    });
    return { complaints: [] };
  },
};
