/**
 * Makes generated/validators.ts with Ajv's standalone generator: for each hot operation (server/http/contract/hot.ts) a function for its
 * parameters and one for its body, and one for a transfer of a batch. They validate as express-openapi-validator does: parameters are
 * converted to numbers where the contract requires it, bodies are validated unchanged.
 */
import { dirname } from 'node:path';
import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { resolve, type OpenapiDocument } from '../../server/http/contract/bundle.ts';
import { FORMATS } from '../../server/http/contract/formats.ts';
import { HOT, TRANSFER_SCHEMA } from '../../server/http/contract/hot.ts';
import { METHODS } from '../../server/http/contract/operations.ts';
import { sliceContract } from '../../server/http/contract/slice.ts';

const standalone = standaloneModule as unknown as typeof standaloneModule.default;
const repository = dirname(dirname(import.meta.dirname));

/** The options of express-openapi-validator; a test compares the results. */
const OPTIONS = {
  strict: false,
  strictNumbers: true,
  strictTuples: true,
  allowUnionTypes: false,
  validateSchema: false,
  useDefaults: true,
  allErrors: true,
};
const PLACES = { query: 'query', header: 'headers', path: 'params' } as const;
/** The name under which Ajv has the components of the contract. */
const CONTRACT = 'contract';

interface Parameter {
  name: string;
  in: keyof typeof PLACES;
  required?: boolean;
  schema: object;
}
interface Operation {
  operationId: string;
  parameters?: unknown[];
  requestBody?: unknown;
}

export async function validators(document: OpenapiDocument, notice: string): Promise<string> {
  const hot = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      return operation !== undefined && operation.operationId in HOT ? [{ path, method, operation }] : [];
    }),
  );
  for (const id of Object.keys(HOT))
    if (!hot.some(({ operation }) => operation.operationId === id))
      throw new Error(`The contract has no operation ${id}, which server/http/contract/hot.ts names.`);
  const slice = sliceContract(document, hot, false);

  const names = hot.map(({ operation }) => operation.operationId);
  return bundled(notice, {
    parameters: moduleOf(
      slice,
      hot.map(({ operation }) => [operation.operationId, parametersOf(slice, operation)]),
      true,
    ),
    bodies: moduleOf(
      slice,
      [
        ...hot.map(({ operation }): [string, object] => [operation.operationId, bodyOf(slice, operation)]),
        ['transfer', { $ref: `#/components/schemas/${TRANSFER_SCHEMA}` }],
      ],
      false,
    ),
    entry: [
      "import * as parameters from 'parameters';",
      "import * as bodies from 'bodies';",
      `export const HOT_VALIDATORS = {${names.map((id) => `${id}: { parameters: parameters.${id}, body: bodies.${id} }`).join(', ')}};`,
      'export const validateTransfer = bodies.transfer;',
    ].join('\n'),
  });
}

/** The values that the middleware validates together: query, headers and path, all of them text. */
function parametersOf(document: OpenapiDocument, { parameters = [] }: Operation): object {
  const properties: Record<string, { type: 'object'; properties: Record<string, object>; required: string[] }> = {};
  for (const { name, in: place, required, schema } of parameters.map(
    (parameter) => resolve(document, parameter) as unknown as Parameter,
  )) {
    const all = (properties[PLACES[place]] ??= { type: 'object', properties: {}, required: [] });
    // Node.js gives headers in lower case.
    const key = place === 'header' ? name.toLowerCase() : name;
    // A default behind a reference would not be seen.
    all.properties[key] = resolve(document, schema);
    if (required === true) all.required.push(key);
  }
  return { required: Object.values(PLACES), properties };
}

function bodyOf(document: OpenapiDocument, { operationId, requestBody }: Operation): object {
  if (requestBody === undefined) return {};
  const { required, content } = resolve(document, requestBody) as {
    required?: boolean;
    content: Record<string, { schema: object }>;
  };
  const schema = content['application/json']?.schema;
  if (schema === undefined || Object.keys(content).length > 1 || resolve(document, schema).discriminator !== undefined)
    throw new Error(`${operationId} cannot be hot: its body is more than one schema of JSON.`);
  return { properties: { body: schema }, required: required === true ? ['body'] : [] };
}

/** An ES module that exports a validating function for each schema. */
function moduleOf(
  { components }: OpenapiDocument,
  schemas: readonly (readonly [name: string, schema: object])[],
  coerceTypes: boolean,
): string {
  const refuse = (message: unknown): never => {
    throw new Error(`Ajv: ${String(message)}`);
  };
  const ajv = new Ajv2020({
    ...OPTIONS,
    coerceTypes,
    formats: FORMATS,
    // An unknown format, for which Ajv only warns, would not be checked.
    logger: { log: refuse, warn: refuse, error: refuse },
    code: { source: true, esm: true, formats: _`FORMATS` },
  });
  const rooted = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${CONTRACT}#/`)) as object;
  ajv.addSchema(rooted({ components }), CONTRACT);
  for (const [name, schema] of schemas) ajv.addSchema(rooted(schema), name);
  const code = standalone(ajv, Object.fromEntries(schemas.map(([name]) => [name, name])));
  return `import { FORMATS } from './server/http/contract/formats.ts';\n${code}`;
}

/** Bundles the three into one module without unused code and imports: at run time Ajv needs only a function of ten lines of its own. */
async function bundled(notice: string, modules: Record<'parameters' | 'bodies' | 'entry', string>): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: repository,
    stdin: { contents: modules.entry, resolveDir: repository },
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    target: 'es2024',
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
    banner: { js: `/** ${notice} */\n// @ts-nocheck` },
    plugins: [
      {
        name: 'made in memory',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^(parameters|bodies)$/ }, ({ path }) => ({ path, namespace: 'made' }));
          onLoad({ filter: /./, namespace: 'made' }, ({ path }) => ({
            contents: modules[path as 'parameters' | 'bodies'],
            resolveDir: repository,
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}
