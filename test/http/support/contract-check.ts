/**
 * Judges an answer by the contract, independently of the server's own validator: status declared, media type declared,
 * body valid by its schema, required headers present and valid. It covers what express-openapi-validator leaves out:
 * answers of status 500 and above, answers before an operation is found, and headers. The rendition for generators of clients
 * has to be as true as the bundle that it is made from, so the same answer is judged by it too.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

import { codesByOperation } from '../../../server/http/contract/answered.ts';
import { loadContract, resolve, type OpenapiDocument } from '../../../server/http/contract/bundle.ts';
import { closedContract } from '../../../server/http/contract/closed.ts';

export const contract = loadContract();
/** What answers are judged by: a member that the contract does not declare is a fault. */
const judged = closedContract(contract.document);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormatsModule as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addFormat('uint128', (text: string) => BigInt(text) < 2n ** 128n);
ajv.addSchema(judged, 'contract');
const rendition = closedContract(JSON.parse(contract.clientJson.toString('utf8')) as OpenapiDocument);
ajv.addSchema(rendition, 'rendition');

interface ResponseObject {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: unknown }>;
}

/** By operationId. What an operation does not list is its `default`, and must still be a code that the catalogue says it can answer. */
const codes = codesByOperation(contract.document);

/** What `default` has with some statuses alone. */
const WITH_STATUS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** How `errors` name a place today: in the body, or in a parameter. */
const POINTER = /^(#\/(query|path|header)\/[^/]+|(\/[^/]*)*)$/;

/** Answers outside every operation that operations have too, as the components of the contract. */
const OUTSIDE: Readonly<Record<number, string>> = { 404: 'NotFound', 429: 'RateLimited' };

/** A method that a path does not have: the text of the contract describes the answer, since no operation can list it. */
const METHOD_NOT_ALLOWED: ResponseObject = {
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/XRequestId' },
    'Cache-Control': { $ref: '#/components/headers/CacheControl' },
    Allow: { required: true, schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' } },
  },
  content: {
    'application/problem+json': {
      schema: {
        $ref: '#/components/schemas/Problem',
        properties: { code: { const: 'method_not_allowed' } },
        unevaluatedProperties: false,
      },
    },
  },
};

/** Compiled once for each place in the contract. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
function validator(key: string, schema: unknown, document = 'contract'): ReturnType<typeof ajv.compile> {
  let found = compiled.get(`${document} ${key}`);
  if (found === undefined) {
    // References in the schema point into the document that it is from.
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${document}#/`)) as object;
    found = ajv.compile(absolute);
    compiled.set(`${document} ${key}`, found);
  }
  return found;
}

/** `operation` is `METHOD /template`, or undefined for an answer outside every operation. Returns faults; none is good. */
export function contractFaults(
  operation: string | undefined,
  status: number,
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
): string[] {
  const declared = responseOf(operation, status);
  if (declared === undefined)
    return [`status ${status} is not declared for ${operation ?? 'answers outside operations'}`];
  const faults: string[] = [];
  const needed = WITH_STATUS[status];
  if (needed !== undefined && headers[needed.toLowerCase()] === undefined)
    faults.push(`the header ${needed} is missing`);
  for (const [name, reference] of Object.entries(declared.headers ?? {})) {
    const header = resolve(judged, reference) as { required?: boolean; schema: unknown };
    const value = headers[name.toLowerCase()];
    if (value === undefined) {
      if (header.required === true) faults.push(`the header ${name} is missing`);
      continue;
    }
    const typed = resolve(judged, header.schema).type === 'integer' ? Number(value) : value;
    const check = validator(`${name} ${JSON.stringify(header.schema)}`, header.schema);
    if (!check(typed)) faults.push(`the header ${name}: ${ajv.errorsText(check.errors)}`);
  }
  const mediaType = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  const content = declared.content?.[mediaType];
  if (content === undefined) return [...faults, `media type ${mediaType} is not declared`];
  const value: unknown = mediaType.endsWith('json') ? JSON.parse(body.toString('utf8')) : body.toString('utf8');
  const check = validator(`${operation} ${status} ${mediaType}`, content.schema);
  if (!check(value)) faults.push(`the body: ${ajv.errorsText(check.errors)} in ${body.toString('utf8').slice(0, 600)}`);
  faults.push(...renditionFaults(operation, status, mediaType, value));
  if (mediaType === 'application/problem+json') {
    const problem = value as ProblemWords;
    faults.push(...wordFaults(problem));
    if (problem.status !== status) faults.push(`status ${status} with a problem of ${problem.status}`);
    const id = operationObject(operation)?.operationId;
    if (id !== undefined && codes.get(id)?.has(problem.code) !== true)
      faults.push(`${id} answered ${problem.code}, which its catalogue entry does not say`);
  }
  return faults;
}

/** What the rendition has against a body; nothing, where it has not this operation (RPC) or not this form of its answer. */
function renditionFaults(operation: string | undefined, status: number, mediaType: string, value: unknown): string[] {
  const [method = '', path = ''] = (operation ?? '').split(' ');
  const declared = rendition.paths[path]?.[method.toLowerCase()] as
    | { responses: Record<string, ResponseObject> }
    | undefined;
  if (declared === undefined) return [];
  const response = declared.responses[String(status)] ?? declared.responses['default'];
  if (response === undefined) return [`status ${status} of ${operation} is not in the rendition for clients`];
  const content = response.content?.[mediaType];
  if (content === undefined) return mediaType === 'application/problem+json' ? ['the rendition has no such error'] : [];
  const check = validator(`${operation} ${status}`, content.schema, 'rendition');
  return check(value) ? [] : [`the body, by the rendition for clients: ${ajv.errorsText(check.errors)}`];
}

interface ProblemWords {
  code: string;
  status: number;
  detail: string;
  errors?: { pointer: string; message: string }[];
}

/** Every sentence that a client meets has one form: whole sentences, from a capital letter to a full stop. */
function wordFaults({ detail, errors = [] }: ProblemWords): string[] {
  const texts = [detail, ...errors.map(({ message }) => message)].filter((text) => !/^[A-Z].*[.…]$/s.test(text));
  const places = errors.map(({ pointer }) => pointer).filter((pointer) => !POINTER.test(pointer));
  return [...texts.map((text) => `no sentence: ${text}`), ...places.map((pointer) => `no place: ${pointer}`)];
}

function responseOf(operation: string | undefined, status: number): ResponseObject | undefined {
  const { components } = judged;
  if (operation === undefined) {
    if (status === 405) return METHOD_NOT_ALLOWED;
    // Refused before the path was looked at, like what operations leave to `default`.
    return resolve(judged, components.responses?.[OUTSIDE[status] ?? 'AnyProblem']) as ResponseObject;
  }
  const responses = operationObject(operation)?.responses ?? {};
  const reference = responses[String(status)] ?? (status >= 400 ? responses['default'] : undefined);
  return reference === undefined ? undefined : (resolve(judged, reference) as ResponseObject);
}

function operationObject(operation = ''): { operationId: string; responses: Record<string, unknown> } | undefined {
  const [method = '', path = ''] = operation.split(' ');
  return judged.paths[path]?.[method.toLowerCase()] as ReturnType<typeof operationObject>;
}
