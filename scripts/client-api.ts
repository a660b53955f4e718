/**
 * `node scripts/client-api.ts` makes client/API.md from the comments of the client's sources: every exported function with its options,
 * defaults, errors and an example. `--check` compares it with the committed page instead.
 *
 * The examples are compiled against the sources, each as a function of its own: one that does not compile is a failure in both modes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './steps.ts';

const PAGE = join(ROOT, 'client/API.md');
const SOURCES = [
  { file: join(ROOT, 'client/src/index.ts'), specifier: '@transaction-ledger/client' },
  { file: join(ROOT, 'client/src/testing/index.ts'), specifier: '@transaction-ledger/client/testing' },
];
const EXAMPLES = join(ROOT, 'client/src/examples-of-the-api-page.ts');

/** Variables that an example may use without declaring them. */
const GIVEN = {
  client: 'Client',
  signer: 'Signer',
  signed: 'SignedTransfer',
  txHash: 'string',
  address: 'string',
  genesis: 'Uint8Array',
  readToken: '() => Promise<string>',
};

interface Entry {
  readonly name: string;
  readonly specifier: string;
  readonly signature: string;
  readonly text: string;
  readonly options: readonly { name: string; type: string; fallback: string; text: string }[];
  readonly throws: readonly string[];
  readonly example: string;
}

function programOf(examples?: string): ts.Program {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  const compilerOptions = {
    ...options,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const host = ts.createCompilerHost(compilerOptions);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === EXAMPLES
      ? ts.createSourceFile(name, examples ?? '', ts.ScriptTarget.ES2024, true)
      : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === EXAMPLES || fileExists(name);
  return ts.createProgram(
    [...SOURCES.map(({ file }) => file), ...(examples === undefined ? [] : [EXAMPLES])],
    compilerOptions,
    host,
  );
}

const flat = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();

function entriesOf(program: ts.Program): Entry[] {
  const checker = program.getTypeChecker();
  return SOURCES.flatMap(({ file, specifier }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declaration = symbol.valueDeclaration;
      if (!declaration || !ts.isFunctionDeclaration(declaration)) return [];
      const tags = symbol.getJsDocTags(checker);
      const textsOf = (name: string): string[] =>
        tags.filter((tag) => tag.name === name).map((tag) => ts.displayPartsToString(tag.text));
      const [example = ''] = textsOf('example');
      if (example === '') throw new Error(`${exported.name} has no @example`);
      return [
        {
          name: exported.name,
          specifier,
          signature: signatureOf(declaration),
          text: flat(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
          options: optionsOf(checker, declaration),
          throws: textsOf('throws').map(flat),
          example,
        },
      ];
    });
  });
}

/** Parameters with their types; a destructured parameter is shown as `options`. */
function signatureOf({ name, asteriskToken, typeParameters, parameters, type }: ts.FunctionDeclaration): string {
  const list = parameters.map((parameter) => {
    const named = ts.isObjectBindingPattern(parameter.name) ? 'options' : parameter.name.getText();
    return `${named}${parameter.initializer ? '?' : ''}: ${flat(parameter.type?.getText() ?? '')}`;
  });
  const generic = typeParameters ? `<${typeParameters.map((parameter) => parameter.getText()).join(', ')}>` : '';
  return `function${asteriskToken ? '*' : ''} ${name?.text}${generic}(${list.join(', ')}): ${flat(type?.getText() ?? '')}`;
}

/** The type as it is written; names of generated types are resolved, because a reader does not have them. */
function typeOf(checker: ts.TypeChecker, member: ts.Symbol, declaration: ts.PropertySignature | undefined): string {
  const written = flat(declaration?.type?.getText() ?? '');
  return written.startsWith('components')
    ? checker.typeToString(checker.getNonNullableType(checker.getTypeOfSymbol(member)))
    : written;
}

/** The members of the last parameter, when it is an options object. */
function optionsOf(checker: ts.TypeChecker, { parameters }: ts.FunctionDeclaration): Entry['options'] {
  const last = parameters.at(-1);
  if (!last || !(ts.isObjectBindingPattern(last.name) || last.name.getText() === 'options')) return [];
  return checker.getPropertiesOfType(checker.getTypeAtLocation(last)).map((member) => {
    const declaration = member.valueDeclaration as ts.PropertySignature | undefined;
    const fallback = member.getJsDocTags(checker).find(({ name }) => name === 'default');
    const optional = member.flags & ts.SymbolFlags.Optional;
    return {
      name: `${member.name}${optional ? '?' : ''}`,
      type: typeOf(checker, member, declaration)
        .replace(/^\((.*)\) \| undefined$/, '$1')
        .replace(/ \| undefined$/, ''),
      fallback: fallback ? ts.displayPartsToString(fallback.text) : '',
      text: flat(ts.displayPartsToString(member.getDocumentationComment(checker))),
    };
  });
}

function complaintsAbout(entries: readonly Entry[]): string[] {
  const names = SOURCES.map(
    ({ specifier, file }) =>
      `import * as ${specifier.endsWith('testing') ? 'testing' : 'ledger'} from '${file.replace(`${ROOT}/client/src`, '.')}';`,
  );
  const given = Object.entries(GIVEN).map(
    ([name, type]) => `declare const ${name}: ${type.replace(/^(Client|Signer|SignedTransfer)$/, 'ledger.$1')};`,
  );
  const functions = entries.map(
    ({ name, specifier }) => `const ${name} = ${specifier.endsWith('testing') ? 'testing' : 'ledger'}.${name};`,
  );
  const bodies = entries.map(
    ({ name, example }) => `export async function example_${name}(): Promise<void> {\n${example}\n}`,
  );
  const program = programOf([...names, ...given, ...functions, ...bodies].join('\n'));
  const source = program.getSourceFile(EXAMPLES);
  return ts.getPreEmitDiagnostics(program, source).map(({ messageText, start = 0 }) => {
    const line = source?.text.slice(0, start).split('\n').length ?? 0;
    return `${source?.text.split('\n')[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function markdownOf({ name, specifier, signature, text, options, throws, example }: Entry): string {
  const table = options.map(
    (option) =>
      `| \`${option.name}\` | \`${cell(option.type)}\` | ${option.fallback && `\`${option.fallback}\``} | ${cell(option.text)} |`,
  );
  const errors = throws.map((line) => {
    const [, type, rest = line] = /^\{?(\w+)\}? ([^]*)$/.exec(line) ?? [];
    return `- ${type ? `\`${type}\`: ` : ''}${rest}`;
  });
  return [
    `## ${name}`,
    `\`\`\`ts\n${signature}\n\`\`\``,
    text,
    ...(table.length > 0 ? [`| Option | Type | Default | |\n|---|---|---|---|\n${table.join('\n')}`] : []),
    ...(errors.length > 0 ? [`Errors:\n\n${errors.join('\n')}`] : []),
    `\`\`\`ts\nimport { ${name} } from '${specifier}';\n\n${example}\n\`\`\``,
  ].join('\n\n');
}

const entries = entriesOf(programOf());
const complaints = complaintsAbout(entries);
for (const complaint of complaints) console.error(`An example does not compile: ${complaint}`);
const page = `# The functions of @transaction-ledger/client

Made from the comments of the sources by \`node scripts/client-api.ts\`; do not edit. In the examples \`client\`, \`signer\`, \`signed\`,
\`txHash\` and \`address\` are there already. What the package promises is in the [README](README.md).

${entries.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(' · ')}

${entries.map(markdownOf).join('\n\n')}
`;
let stale = false;
if (process.argv.includes('--check')) {
  stale = readFileSync(PAGE, 'utf8') !== page;
  if (stale)
    console.error('client/API.md is not what the sources give: run `node scripts/client-api.ts` and commit it.');
} else writeFileSync(PAGE, page);
if (stale || complaints.length > 0) process.exitCode = 1;
