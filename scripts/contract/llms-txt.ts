/**
 * /llms.txt (llmstxt.org): the service on one page, for a language model that has to use it. A title, a quoted summary,
 * what cannot be found by reading one link, and then links with a line each.
 *
 * All of it comes from the contract and from the first signing vector, so that it cannot tell another story. Links are
 * relative to the base URL, where this file is, and lead to nothing but this service; those to pages lead to their Markdown.
 */
import { GUIDES } from '../../server/http/docs/guides.ts';
import { twinOf } from '../../server/http/docs/links.ts';
import { tagPath } from '../../server/http/docs/reference.ts';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
}

/** What is read of the bundled contract. */
export interface Contract {
  info: { title: string; version: string; summary: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
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

export function llmsTxt({ info, tags, paths }: Contract, vector: SigningVector): string {
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

Everything below is relative to the base URL, which is where this file is. Before you write code, read the contract: requests with
unknown members are refused, and answers may have members that you do not know.

Send \`Authorization: Bearer TOKEN\` with a token that the operator of the service made. Amounts are decimal strings of integer minor
units. Errors are problem documents (RFC 9457): decide by \`code\`, which is explained in the list of errors.

To pay: ask getChain for the chain id and getAccount for \`nextNonce\`, sign, and submit with \`Prefer: wait=10\`. The status is
\`committed\` once a block has executed it. After a timeout or a 5xx send the same body again: a transfer is its sender, nonce, receiver
and amount, and is paid at most once. Never sign a payment with a new nonce because an answer is missing.

Sign these bytes with Ed25519 (RFC 8032): the text \`txledger-transfer-v1\`, one line feed, and a JSON object with the members of this
example in this order, without spaces and without a line feed at the end:

\`\`\`text
${vector.signBytes}
\`\`\`

The body of POST /transactions with the signature in lower-case hex. The chain id is signed and not sent:

\`\`\`json
${JSON.stringify(vector.request)}
\`\`\`

The hash of the transfer, which is its id, is the SHA-256 of these bytes in upper-case hex, here
\`${vector.txHash}\`:

\`\`\`text
${vector.raw}
\`\`\`

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
