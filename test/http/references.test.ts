/** What the library prepares of the contract is the same, whichever way it finds what references name. */
import { afterAll, expect, test } from '@jest/globals';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { loadContract } from '../../server/http/contract/bundle.ts';
import { closedContract } from '../../server/http/contract/closed.ts';
import { lookUpReferences, resolveAsTheLibraryDoes } from '../../server/http/contract/references.ts';
import { sliceContract } from '../../server/http/contract/slice.ts';

const { document } = loadContract();

afterAll(lookUpReferences);

function prepared(of: typeof document, path: string, responses: boolean): unknown {
  const slice = sliceContract(of, [path], responses) as never;
  const { ajvOpts, options } = new OpenApiValidator({
    apiSpec: slice,
    validateRequests: { allErrors: true },
    validateResponses: responses,
    formats: { uint128: { type: 'string', validate: () => true } },
  }) as never as { ajvOpts: { preprocessor: never }; options: { validateResponses: never } };
  return new SchemaPreprocessor(slice, ajvOpts.preprocessor, options.validateResponses).preProcess();
}

test.each([
  ['as it is', document, false],
  ['closed, with its answers', closedContract(document), true],
] as const)('of every path of the contract %s', (_, of, responses) => {
  for (const path of Object.keys(of.paths)) {
    resolveAsTheLibraryDoes();
    const own = prepared(of, path, responses);
    lookUpReferences();
    expect(prepared(of, path, responses)).toEqual(own);
  }
});
