/**
 * /llms.txt (llmstxt.org): the service on one page, for a language model that has to use it. It has a title, a quoted summary, the facts
 * that no single link has, and then links with a line each.
 *
 * All of it comes from the contract and from the first signing vector. Its statements about the service are sentences of the contract, word
 * for word (quotes.ts); one that the contract no longer has makes `npm run generate` fail. The few sentences about how to begin are its
 * own: {@link OWN_SENTENCES} has the condition of the contract for each. Links are relative to the base URL, where this file is, and lead
 * only to this service; those to pages lead to their Markdown.
 */
import { GUIDES } from '../../server/http/docs/guides.ts';
import { twinOf } from '../../server/http/docs/links.ts';
import { tagPath } from '../../server/http/docs/reference.ts';
import { textsOf, Quotes } from './quotes.ts';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
}

/** The members of the bundled contract that are read. */
export interface Contract {
  info: { title: string; version: string; summary: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: {
    securitySchemes: Record<string, { scheme?: string }>;
    parameters: Record<string, { name: string }>;
    schemas: Record<string, { properties?: object; additionalProperties?: unknown; unevaluatedProperties?: unknown }>;
  };
}

/** An entry of spec/vectors/signing-vectors.json. */
export interface SigningVector {
  signBytes: string;
  raw: string;
  txHash: string;
  request: object;
}

/** Relative to the base URL. */
const twin = (path: string): string => twinOf(path).slice(1);

const METHODS = ['get', 'post', 'patch', 'delete'];

/** The page's own sentences, each with the condition of the contract that makes it true. */
export const OWN_SENTENCES: readonly { readonly sentence: string; holds(contract: Contract): boolean }[] = [
  {
    sentence: 'Everything below is relative to the base URL, which is where this file is.',
    holds: () => true,
  },
  {
    sentence: 'Read the contract before you write code.',
    holds: ({ paths }) => '/openapi.json' in paths,
  },
  {
    sentence: 'A request with a member that the contract does not name is refused.',
    holds: ({ components: { schemas } }) =>
      [schemas['TransactionInput']?.additionalProperties, schemas['TransactionInput']?.unevaluatedProperties].includes(
        false,
      ),
  },
  {
    sentence: 'Send `Authorization: Bearer TOKEN` with a token that the operator of the service made.',
    holds: ({ components }) => components.securitySchemes['bearerAuth']?.scheme === 'bearer',
  },
  {
    sentence:
      'To pay, ask getChain for `chainId` and getAccount for `nextNonce`, sign, and send the transfer to submitTransaction with `Prefer: wait=10`.',
    holds: ({ paths, components: { schemas, parameters } }) =>
      ['getChain', 'getAccount', 'submitTransaction'].every((id) => JSON.stringify(paths).includes(`"${id}"`)) &&
      'chainId' in (schemas['Chain']?.properties ?? {}) &&
      'nextNonce' in (schemas['Account']?.properties ?? {}) &&
      parameters['Prefer']?.name === 'Prefer',
  },
  {
    sentence: 'The body of POST /transactions for this example:',
    holds: ({ paths }) => 'post' in (paths['/transactions'] ?? {}),
  },
  { sentence: 'The hash of this example is `HASH`.', holds: () => true },
];

export function llmsTxt(contract: Contract, vector: SigningVector): string {
  const { info, tags, paths } = contract;
  const contradicted = OWN_SENTENCES.find(({ holds }) => !holds(contract));
  if (contradicted !== undefined)
    throw new Error(
      `The contract does not bear out what /llms.txt says: ${contradicted.sentence} Correct OWN_SENTENCES in scripts/contract/llms-txt.ts.`,
    );
  const own = (beginning: string): string => {
    const found = OWN_SENTENCES.find(({ sentence }) => sentence.startsWith(beginning));
    if (found === undefined) throw new Error(`OWN_SENTENCES has none that begins with: ${beginning}`);
    return found.sentence;
  };
  const quotes = new Quotes(textsOf(contract));
  const quote = (beginning: string): string => quotes.sentence(beginning);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      path,
      method: method.toUpperCase(),
      operation: item[method] as Operation,
    })),
  );
  const rest = operations.filter(({ path }) => !path.startsWith('/rpc/') && path !== '/rpc');
  const rpcTags = tags.filter(({ name }) => name.startsWith('RPC'));
  return `# ${info.title}

> ${info.summary} Submit signed transfers, list, follow and cancel them over HTTP. Version ${info.version} of the contract.

${own('Everything below')} ${own('Read the contract')} ${own('A request with')} ${quote('Callers ignore members they do not know')}

${own('Send `Authorization')} ${quote('Money is counted')} ${quote('Errors are problem details')} ${quote('Programs read `code`')}

${own('To pay,')} ${quote('Answers 202 when the transfer is accepted')} ${quote('A transfer is its sender')} ${quote('A transfer is paid at most once')} ${quote('Never sign the payment with another nonce')}

${quote('`chainId` is signed and not sent')} ${quote('A transfer may carry `reference`')} ${quote('Each is signed where it is sent')} ${quote('The sender signs with Ed25519')}

\`\`\`text
${vector.signBytes}
\`\`\`

${quote('A signature is sent as')} ${own('The body of')}

\`\`\`json
${JSON.stringify(vector.request)}
\`\`\`

${quote('The raw bytes of a transfer')}

\`\`\`text
${vector.raw}
\`\`\`

${quote('`txHash` is the SHA-256')} ${quote('The caller knows it before')} ${own('The hash of').replace('HASH', vector.txHash)}

## Contract

${renditionsOf(paths).join('\n')}
- [changelog.atom](changelog.atom): what each version of the contract changed, as an Atom feed
- [.well-known/api-catalog](.well-known/api-catalog): where everything is, as a linkset (RFC 9727)

## Documents

${GUIDES.map(({ path, title, description }) => `- [${title}](${twin(path)}): ${description}`).join('\n')}
- [Conventions](docs/conventions.md): what holds for every operation
- [Errors](docs/errors.md): every error code, its cause and what to do
- [Schemas](docs/schemas.md): what requests and answers hold
- [Headers](docs/headers.md): every header of requests and answers
- [Everything](docs.md): a line for each page, operation and schema

## Operations

${rest
  .map(
    ({
      path,
      method,
      operation: {
        operationId,
        summary,
        tags: [tag = ''],
      },
    }) => `- [${operationId}](${twin(tagPath(tag))}#${operationId}): \`${method} ${path}\`: ${summary}`,
  )
  .join('\n')}

## Optional

${rpcTags.map(({ name, description }) => `- [${name}](${twin(tagPath(name))}): ${firstSentence(description)}`).join('\n')}
`;
}

const RENDITIONS: Record<string, string> = {
  '/openapi.json': 'the contract, OpenAPI 3.1 in one JSON document',
  '/openapi.client.json': 'the same without the RPC, for generators of clients',
  '/openapi.yaml': 'the contract as YAML',
};

/** Those that this contract has. */
function renditionsOf(paths: Contract['paths']): string[] {
  return Object.entries(RENDITIONS)
    .filter(([path]) => path in paths)
    .map(([path, about]) => `- [${path.slice(1)}](${path.slice(1)}): ${about}`);
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0].replaceAll('\n', ' ') ?? text;
