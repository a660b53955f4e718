/** What all languages of openapi-generator have in common. */
import { linesOf, type Expected, type Step, type Workplace } from './generator.ts';

export const VERSION = '7.25.0';

/**
 * How a client is made that outlives this version of the contract. An answer may have more members later: unless told, this generator
 * takes a schema that does not speak of further members as closed, against the specification.
 */
export const OPEN_ANSWERS = 'disallowAdditionalPropertiesIfNotPresent=false';

export const EXPECTED: readonly Expected[] = [
  { complaint: /OpenAPI 3\.1 support is still in beta/, reason: 'said of every description in OpenAPI 3.1' },
  {
    complaint: /ModelUtils - Failed to get the schema name: null/,
    reason: 'said of a schema that stands at its use, here the text of the metrics',
  },
];

export async function generate(
  { tools, contract, folder }: Workplace,
  generator: string,
  options: readonly string[],
  args: readonly string[] = [],
): Promise<Step> {
  const parts = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((part) => `${part}=false`).join(',');
  const output = await tools.openapiGenerator(
    [
      '-g',
      generator,
      '-i',
      contract,
      '-o',
      'generated',
      '--additional-properties',
      options.join(','),
      '--global-property',
      parts,
      ...args,
    ],
    folder,
  );
  return { complaints: linesOf(output, / (WARN|ERROR) /) };
}
