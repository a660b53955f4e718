/**
 * The compiler refuses a server that differs from the contract, and names the place: an optional member of an answer that has another name in the contract,
 * an operation without a handler, a handler without an operation. Each test changes the generated types in memory and compiles the handlers with them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { cases } from '../support/many-cases.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GENERATED = `${ROOT}generated/openapi.ts`;
/** Where answers are put together. */
const OPERATIONS = `${ROOT}server/http/operations/`;
const MAKERS = [OPERATIONS, `${ROOT}server/http/problem/`];
const SUFFIX = 'Renamed';

const config = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile).config as { compilerOptions: object };
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
const host = ts.createCompilerHost(options);
const original = host.readFile(GENERATED) ?? '';
const kept = new Map<string, ts.SourceFile | undefined>();
let previous: ts.Program | undefined;

/** What the compiler says about the files that make answers, with other generated types; each line begins with the file's name. */
function complaints(generated: string): string[] {
  const changed = ts.createSourceFile(GENERATED, generated, ts.ScriptTarget.Latest, true);
  const program = ts.createProgram({
    rootNames: [`${OPERATIONS}index.ts`],
    options,
    host: {
      ...host,
      getSourceFile: (name, target) => {
        if (name === GENERATED) return changed;
        if (!kept.has(name)) kept.set(name, host.getSourceFile(name, target));
        return kept.get(name);
      },
    },
    ...(previous && { oldProgram: previous }),
  });
  previous = program;
  return program
    .getSourceFiles()
    .filter(({ fileName }) => MAKERS.some((folder) => fileName.startsWith(folder)))
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map(
      ({ file, messageText }) =>
        `${file?.fileName.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

interface Member {
  schema: string;
  name: string;
  /** Where its name ends. */
  end: number;
}

/** The optional members of schemas that answers are made of, but for those of inputs and of CometBFT's RPC. */
function optionalMembers(): Member[] {
  const source = ts.createSourceFile(GENERATED, original, ts.ScriptTarget.Latest, true);
  const membersOf = (name: string): readonly ts.TypeElement[] =>
    source.statements.find(
      (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
    )?.members ?? [];
  const nameOf = (node: ts.TypeElement): string => (node.name as ts.Identifier | ts.StringLiteral).text;
  const typeOf = (node: ts.TypeElement | undefined): ts.Node | undefined =>
    (node as ts.PropertySignature | undefined)?.type;
  const components = new Map<string, ts.Node | undefined>();
  for (const kind of membersOf('components'))
    for (const component of (typeOf(kind) as Partial<ts.TypeLiteralNode>).members ?? [])
      components.set(`components["${nameOf(kind)}"]["${nameOf(component)}"]`, typeOf(component));
  const found: Member[] = [];
  const seen = new Set<string>();
  const visit = (node: ts.Node, schema: string): void => {
    const reference = ts.isIndexedAccessTypeNode(node) ? node.getText() : '';
    const component = components.get(reference);
    if (component !== undefined && !seen.has(reference)) {
      seen.add(reference);
      visit(component, reference.split('"')[3] ?? '');
    }
    if (ts.isPropertySignature(node) && node.questionToken !== undefined && ts.isIdentifier(node.name))
      found.push({ schema, name: node.name.text, end: node.name.end });
    ts.forEachChild(node, (child) => visit(child, schema));
  };
  for (const operation of membersOf('operations')) {
    if (/^(receive|callRpc|getRpc|postRpc)/.test(nameOf(operation))) continue;
    const parts = (typeOf(operation) as ts.TypeLiteralNode).members;
    const responses = typeOf(parts.find((part) => nameOf(part) === 'responses'));
    if (responses !== undefined) visit(responses, nameOf(operation));
  }
  // An answer without a body has `content?: never`, and `code` of a problem is that of its base, which is not optional.
  return found.filter(({ name }) => name !== 'code' && name !== 'content');
}

const renamed = (members: readonly Member[]): string =>
  members
    .toSorted((a, b) => b.end - a.end)
    .reduce((text, { end }) => `${text.slice(0, end)}${SUFFIX}${text.slice(end)}`, original);
const uniqueNames = (members: readonly Member[]): string[] => [...new Set(members.map(({ name }) => name))].toSorted();
/** The names that the compiler does not say, neither the old nor the new one. */
const unnamed = (members: readonly Member[], said: readonly string[]): string[] =>
  uniqueNames(members).filter(
    (name) => !said.some((line) => new RegExp(`['". \\]]${name}(${SUFFIX})?['".\\[]`).test(line)),
  );

const members = optionalMembers();
const bySchema = [...Map.groupBy(members, ({ schema }) => schema)];

test('the handlers of the tree are exact', () => {
  expect(complaints(original)).toEqual([]);
});

test('every optional member of an answer is named when the contract renames it', () => {
  // A change of how the members are found must not leave them out.
  expect(bySchema.length).toBeGreaterThan(20);
  // These are in `limits` of a token, which is renamed too.
  expect(unnamed(members, complaints(renamed(members)))).toEqual(['pendingMax', 'ratePerSecond']);
});

// The last ones first: pages, webhooks and tokens, which are put together from spreads.
test.each(bySchema.toReversed().slice(0, cases(3, bySchema.length)))(
  'those of %s are named when they alone are renamed',
  (_schema, own) => {
    expect(unnamed(own, complaints(renamed(own)))).toEqual([]);
  },
);

describe('operations', () => {
  const OPERATION = '\n    getLiveness: {';

  test('one without a handler is named', () => {
    const at = original.indexOf(OPERATION);
    const end = original.indexOf('\n    };', at) + '\n    };'.length;
    const copy = original.slice(at, end).replace('getLiveness', 'getWeather');
    const said = complaints(`${original.slice(0, at)}${copy}${original.slice(at)}`);
    expect(said).toEqual([
      expect.stringMatching(/^server\/http\/operations\/index\.ts: Property 'getWeather' is missing/),
    ]);
  });

  test('a handler without one is named', () => {
    const said = complaints(original.replace(OPERATION, OPERATION.replace('getLiveness', 'getWeather')));
    expect(said).toContainEqual(
      expect.stringMatching(/operations\/index\.ts: .*'getLiveness' does not exist in type 'Handlers'/),
    );
    expect(said).toContainEqual(expect.stringMatching(/operations\/getLiveness\.ts: .*"getLiveness"/));
  });
});

test('what makes an answer gives it its type by `handler` or `resource` alone', () => {
  const bypassed = readdirSync(OPERATIONS).flatMap((name) => {
    const text = readFileSync(`${OPERATIONS}${name}`, 'utf8');
    return [...text.matchAll(/(?<=\)): (?:Schemas\[|(?:Promise<)?Reply<).*|.*return async .*/g)].map(
      ([found]) => `${name}: ${found.trim()}`,
    );
  });
  // A problem is put together from the catalogue (problem.ts).
  expect(bypassed).toEqual(["refusal-resource.ts: : Schemas['TransactionRefusal'] {"]);
});
