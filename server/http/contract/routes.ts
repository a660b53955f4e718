/**
 * A slice of the contract as express-openapi-validator's own loader would hand it to its validator.
 *
 * The loader resolves files and references that our bundle does not have, and compiles a validator of OpenAPI itself that
 * it then does not use: for each slice a tenth of a second of a start. A test compares what is made here with what it makes.
 */
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';

import { METHODS } from './operations.ts';
import { resolve } from './bundle.ts';
import type { OpenapiDocument } from './bundle.ts';

interface Parameters {
  parameters?: unknown[];
}

/** @param serial tells this slice from the others; the validator of responses keeps its compiled schemas under it. */
export function describeRoutes(slice: OpenapiDocument, serial: number): Spec {
  const routes = Object.entries(slice.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      basePath: '',
      expressRoute: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      openApiRoute: path,
      method: method.toUpperCase(),
      pathParams: pathParameters(slice, item, item[method] as Parameters),
    })),
  );
  return { apiDoc: slice as never, basePaths: ['/'], routes: routes.toSorted(bySpecificity), serial };
}

/** The first that matches is taken, so a fixed path comes before a template, and a longer one before what it begins with. */
function bySpecificity(one: { expressRoute: string }, other: { expressRoute: string }): number {
  // A tilde sorts after every letter.
  const [a, b] = [one, other].map(({ expressRoute }) => expressRoute.replaceAll('/:', '/~')) as [string, string];
  if (a.startsWith(b)) return -1;
  return b.startsWith(a) || a > b ? 1 : -1;
}

function pathParameters(slice: OpenapiDocument, item: Parameters, operation: Parameters): string[] {
  const parameters = [...(operation.parameters ?? []), ...(item.parameters ?? [])].map((parameter) =>
    resolve(slice, parameter),
  );
  return [
    ...new Set(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => String(parameter.name))),
  ];
}
