/** The contract that the server publishes about itself: where operations are, and whether an answer is what it says. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Broken, expect } from './expect.ts';
import type { Answer } from './http.ts';

type Node = Record<string, any>;

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const ROOT = 'contract';
const PROBLEM = 'application/problem+json';
const ERROR_STATUS_MIN = 400;

export class Contract {
  readonly document: Node;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #ajv: Ajv2020;

  constructor(document: Node) {
    expect(
      typeof document['openapi'] === 'string' && document['openapi'].startsWith('3.1'),
      'the contract is not a document of OpenAPI 3.1',
    );
    this.document = document;
    const operations = Object.entries(document['paths'] as Node).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method] !== undefined).map((method) => ({
        operationId: item[method].operationId as string,
        method,
        path,
      })),
    );
    this.operations = new Map(operations.map((operation) => [operation.operationId, operation]));
    // The document holds more than schemas: what Ajv does not know is not its concern.
    this.#ajv = new Ajv2020({ strict: false, allErrors: false, logger: false, validateSchema: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, ROOT);
  }

  operation(operationId: string): Operation {
    const found = this.operations.get(operationId);
    if (found === undefined) throw new Broken(`the contract has no operation ${operationId}`);
    return found;
  }

  /** Of requests as method and path. */
  operationsOf(requests: Iterable<string>): ReadonlySet<string> {
    const patterns = [...this.operations.values()].map(({ operationId, method, path }) => ({
      operationId,
      braces: path.split('{').length,
      pattern: new RegExp(
        `^${method.toUpperCase()} ${path.replaceAll('.', String.raw`\.`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
      ),
    }));
    // A fixed path comes before one with a parameter in its place.
    patterns.sort((a, b) => a.braces - b.braces);
    const found = [...requests].map((request) =>
      patterns.find(({ pattern }) => pattern.test(request.split('?')[0] ?? '')),
    );
    return new Set(found.flatMap((each) => (each === undefined ? [] : [each.operationId])));
  }

  /** @throws Broken when the status, the media type, the body or the code of an answer is not as the contract says. */
  expectAnswer(operationId: string, answer: Answer): void {
    const { path, method } = this.operation(operationId);
    const name = `${answer.method} ${answer.path} (${operationId})`;
    const at = ['paths', path, method, 'responses'];
    const response =
      this.#follow([...at, String(answer.status)]) ??
      (answer.status >= ERROR_STATUS_MIN ? this.#follow([...at, 'default']) : undefined);
    if (response === undefined) throw new Broken(`${name} answered ${answer.status}, which the contract does not have`);
    const mediaType = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const { node } = response;
    if (node['content'] === undefined) return;
    if (node['content'][mediaType] === undefined) {
      throw new Broken(
        `${name} answered ${answer.status} with ${mediaType || 'no media type'}, the contract has ${Object.keys(node['content']).join(', ')}`,
      );
    }
    if (!mediaType.endsWith('json')) return;
    if (mediaType === PROBLEM && !this.#answers(path, method, String(answer.body.code), answer.status))
      throw new Broken(
        `${name} answered ${answer.body.code}, which the catalogue of the contract does not say of it with this status`,
      );
    const pointer = [...response.at, 'content', mediaType, 'schema']
      .map((token) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = this.#ajv.getSchema(`${ROOT}#/${pointer}`) ?? this.#ajv.compile({ $ref: `${ROOT}#/${pointer}` });
    if (validate(answer.body) === true) return;
    const [error] = validate.errors ?? [];
    throw new Broken(
      `${name} answered ${answer.status} with a body that the contract does not have: ${error?.instancePath || 'the body'} ${error?.message ?? ''}`,
    );
  }

  /** Whether the catalogue (`x-problems` of ProblemCode) names the operation or a group of it. A code that it does not have is one of a later version. */
  #answers(path: string, method: string, code: string, status: number): boolean {
    const entry = this.document['components'].schemas.ProblemCode['x-problems'][code] as
      | { status: number; operations: string[]; except?: string[] }
      | undefined;
    if (entry === undefined) return true;
    if (entry.status !== status) return false;
    const { operationId, security = [], requestBody } = this.document['paths'][path][method];
    const outsideRpc = !/^\/rpc(\/|$)/.test(path);
    const groups: Record<string, boolean> = {
      all: true,
      outsideRpc,
      withToken: security.length > 0,
      withBody: requestBody !== undefined,
      outsideRpcWithBody: outsideRpc && requestBody !== undefined,
    };
    const isNamed = entry.operations.some((name) => name === operationId || groups[name] === true);
    return isNamed && entry.except?.includes(operationId) !== true;
  }

  #follow(path: readonly string[]): { node: Node; at: readonly string[] } | undefined {
    let at = path;
    for (;;) {
      const node = at.reduce<Node | undefined>((inside, key) => inside?.[key], this.document);
      if (node === undefined) return undefined;
      if (typeof node['$ref'] !== 'string') return { node, at };
      at = node['$ref']
        .slice('#/'.length)
        .split('/')
        .map((token: string) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
    }
  }
}
