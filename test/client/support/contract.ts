/**
 * The contract as a judge of both sides: each request that the client makes and each answer that it gets, the scripted ones included.
 * A drift in either direction shows as a fault, whichever side is wrong.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { ROOT } from '../../../scripts/steps.ts';
import { codesByOperation } from '../../../server/http/contract/answered.ts';
import { closedContract } from '../../../server/http/contract/closed.ts';

interface Reference {
  $ref?: string;
}
interface Parameter extends Reference {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  schema: Reference & { type?: string };
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}
type Method = 'get' | 'post' | 'delete';

/** Closed: an answer with a member that the contract does not declare is a fault of the server. */
export const contract: any = closedContract(JSON.parse(readFileSync(join(ROOT, 'generated', 'openapi.json'), 'utf8')));

/** The codes that each operation can answer, by its name. */
export const answered = codesByOperation(contract);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormatsModule as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addFormat('uint128', (text: string) => BigInt(text) < 2n ** 128n);
ajv.addSchema(contract, 'contract');

function resolved<T>(value: T & Reference): T {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key], contract);
}

const validators = new Map<string, ValidateFunction>();
function faultOf(schema: object, value: unknown): string | undefined {
  // References in a schema point into the bundle.
  const text = JSON.stringify(schema).replaceAll('"#/', '"contract#/');
  let validate = validators.get(text);
  if (!validate) validators.set(text, (validate = ajv.compile(JSON.parse(text))));
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** The operation of a request below `baseUrl`, with the values of its path parameters. */
function find(method: string, path: string): { operation: Operation; values: Record<string, string> } | undefined {
  for (const template of Object.keys(contract.paths)) {
    const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
    const match = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
    const operation = contract.paths[template][method.toLowerCase() as Method];
    if (match && operation)
      return {
        operation,
        values: Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1]!)])),
      };
  }
  return undefined;
}

async function requestFaults(
  request: Request,
  operation: Operation,
  values: Record<string, string>,
  url: URL,
): Promise<string[]> {
  const faults: string[] = [];
  const known = new Set<string>();
  const lists = new Set<string>();
  for (const reference of operation.parameters ?? []) {
    const parameter = resolved(reference);
    const place = {
      path: values[parameter.name],
      query: url.searchParams.get(parameter.name),
      header: request.headers.get(parameter.name),
    };
    if (parameter.in === 'query') known.add(parameter.name);
    const text = place[parameter.in] ?? undefined;
    if (text === undefined) {
      if (parameter.required) faults.push(`${parameter.in} parameter ${parameter.name} is missing`);
      continue;
    }
    const { type } = resolved(parameter.schema);
    if (parameter.in === 'query' && type === 'array') lists.add(parameter.name);
    const value =
      type === 'integer' ? Number(text) : lists.has(parameter.name) ? url.searchParams.getAll(parameter.name) : text;
    const fault = faultOf(parameter.schema, value);
    if (fault) faults.push(`${parameter.in} parameter ${parameter.name}: ${fault}`);
  }
  for (const name of new Set(url.searchParams.keys())) {
    if (!known.has(name)) faults.push(`query parameter ${name} is not declared`);
    if (url.searchParams.getAll(name).length > 1 && !lists.has(name))
      faults.push(`query parameter ${name} is repeated`);
  }
  const body = await request.clone().text();
  const declared = operation.requestBody ? resolved(operation.requestBody).content['application/json'] : undefined;
  if (declared) {
    if (request.headers.get('content-type') !== 'application/json') faults.push('the body is not said to be JSON');
    const fault = faultOf(declared.schema, JSON.parse(body));
    if (fault) faults.push(`body: ${fault}`);
  } else if (body !== '') faults.push('there is a body that the contract does not know');
  return faults;
}

async function responseFaults(response: Response, operation: Operation): Promise<string[]> {
  const declared =
    operation.responses[response.status] ?? (response.status >= 400 ? operation.responses['default'] : undefined);
  if (!declared) return [`status ${response.status} is not declared`];
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
  const content = resolved(declared).content[mediaType];
  if (!content) return [`${response.status} as ${mediaType} is not declared`];
  const body = JSON.parse(await response.clone().text());
  if (mediaType === 'application/problem+json' && !answered.get(operation.operationId)?.has(body.code))
    return [`${body.code} is not declared`];
  const fault = faultOf(content.schema, body);
  return fault ? [`${response.status}: ${fault}`] : [];
}

/** What is wrong with an answer, whatever was asked; undefined when the request is to no operation of the contract. */
export async function answerFaults(
  method: string,
  path: string,
  response: Response,
): Promise<{ operationId: string; faults: string[] } | undefined> {
  const found = find(method, path);
  return found && { operationId: found.operation.operationId, faults: await responseFaults(response, found.operation) };
}

/** A `fetch` that writes down every fault; expect `faults` to be empty in the end. */
export function judgedFetch(baseUrl: string): {
  fetch: (request: Request) => Promise<Response>;
  faults: string[];
  operations: Set<string>;
} {
  const faults: string[] = [];
  const operations = new Set<string>();
  return {
    faults,
    operations,
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = find(request.method, url.pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length));
      if (!found) {
        faults.push(`${request.method} ${url.pathname} is not in the contract`);
        return fetch(request);
      }
      const { operation, values } = found;
      operations.add(operation.operationId);
      faults.push(
        ...(await requestFaults(request, operation, values, url)).map(
          (fault) => `${operation.operationId} request: ${fault}`,
        ),
      );
      const response = await fetch(request);
      faults.push(
        ...(await responseFaults(response, operation)).map((fault) => `${operation.operationId} answer: ${fault}`),
      );
      return response;
    },
  };
}

/** The value of a named example of the contract. */
export function example<T = any>(name: string): T {
  return structuredClone(contract.components.examples[name].value);
}

/** The catalogue of problem codes. */
export const catalogue: Record<string, { status: number; title: string; retriable: boolean }> =
  contract.components.schemas.ProblemCode['x-problems'];

/** The example of a problem, as the contract gives it for its code. */
export function problemExample(code: string): { status: number; [member: string]: unknown } {
  const name = `${code.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Problem`;
  if (Object.hasOwn(contract.components.examples, name)) return example(name);
  // One that no operation lists: it has the members of every problem.
  return {
    ...example('NotFoundProblem'),
    ...pick(catalogue[code]!),
    code,
    type: `./docs/errors#${code}`,
    detail: 'What an answer says of this code.',
  };
}

/** What a problem repeats of its entry in the catalogue. */
function pick({ status, title, retriable }: { status: number; title: string; retriable: boolean }): {
  status: number;
  title: string;
  retriable: boolean;
} {
  return { status, title, retriable };
}
