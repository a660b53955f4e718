/** Puts a request to a node and to this service, and says what each answered so that two of the same kind are equal. */
import { Agent, request } from 'node:http';
import type { StockRequest } from './requests.ts';

export interface StockAnswer {
  readonly status: number;
  /** Without parameters. */
  readonly contentType: string;
  /** JSON with the values of results left out, or the text. */
  readonly body: string;
}

/** Heights and hashes are of one chain. */
const ofThisChain = (text: string): string =>
  text
    .replaceAll(/current blockchain height \d+/g, 'current blockchain height #')
    .replaceAll(/highest height \d+/g, 'highest height #');

/** What a result is like: an answer to the same question about another chain. */
function kindOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value === null ? null : typeof value;
  return Object.keys(value).toSorted();
}

function described(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map((each) => described(each));
  if (reply === null || typeof reply !== 'object') return reply;
  const { result, ...rest } = reply as Record<string, unknown>;
  return result === undefined ? rest : { ...rest, result: kindOf(result) };
}

export class Asker {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #baseUrl: string;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  ask({ method, path, body, contentType }: StockRequest): Promise<StockAnswer> {
    const headers = { ...this.#headers, ...(contentType === undefined ? {} : { 'content-type': contentType }) };
    return new Promise((resolve, reject) => {
      const sent = request(this.#baseUrl + path, { method, agent: this.#agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const contentTypeOf = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
          resolve({
            status: answer.statusCode ?? 0,
            contentType: text === '' ? '' : contentTypeOf,
            body: bodyOf(text),
          });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function bodyOf(text: string): string {
  try {
    return ofThisChain(JSON.stringify(described(JSON.parse(text))));
  } catch {
    return text;
  }
}
