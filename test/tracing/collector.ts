/** A collector of traces, as small as a test needs: takes OTLP over HTTP in protobuf and remembers the spans. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryReader } from 'cosmjs-types/binary';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  name: string;
  /** 1 internal, 2 server. */
  kind: number;
  startNs: bigint;
  endNs: bigint;
  attributes: Record<string, string | number | boolean>;
  /** Of the resource. */
  service: Record<string, string | number | boolean>;
  /** 2: an error. */
  status: number;
}

export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** Every byte that came, headers and all, to be searched for what must not be there. */
  text = '';
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  /** Takes requests and never answers them. */
  isDeaf = false;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (this.isDeaf) return;
      const body = Buffer.concat(parts);
      this.text += `${request.url} ${JSON.stringify(request.headers)} ${body.toString('latin1')}`;
      this.spans.push(...readRequest(body));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
      for (const look of this.#waiting) look();
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, once there are those of these names; they come from several threads in any order. */
  async trace(traceId: string, names: readonly string[]): Promise<ReceivedSpan[]> {
    const found = (): ReceivedSpan[] => this.spans.filter((span) => span.traceId === traceId);
    const isWhole = (): boolean => names.every((name) => found().some((span) => span.name === name));
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isWhole()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
    return found();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Fields = Map<number, (Uint8Array | bigint | number)[]>;

/** Fields of a protobuf message by their number; nested messages stay bytes. */
function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields: Fields = new Map();
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const values = fields.get(tag >>> 3) ?? [];
    fields.set(tag >>> 3, values);
    const wire = tag & 7;
    if (wire === 0) values.push(reader.uint64());
    else if (wire === 1) values.push(reader.fixed64());
    else if (wire === 2) values.push(reader.bytes());
    else if (wire === 5) values.push(reader.fixed32());
    else throw new Error(`wire type ${wire}`);
  }
  return fields;
}

const all = (fields: Fields, number: number): Uint8Array[] => (fields.get(number) ?? []) as Uint8Array[];
const bytes = (fields: Fields, number: number): Buffer => Buffer.from(all(fields, number)[0] ?? new Uint8Array());
const text = (fields: Fields, number: number): string => bytes(fields, number).toString('utf8');
const integer = (fields: Fields, number: number): bigint =>
  BigInt((fields.get(number)?.[0] as bigint | number | undefined) ?? 0);

/** Numbers of fields as opentelemetry/proto has them. */
function readRequest(body: Uint8Array): ReceivedSpan[] {
  return all(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const ofResource = fieldsOf(resourceSpans);
    const service = attributesOf(fieldsOf(bytes(ofResource, 1)), 1);
    return all(ofResource, 2).flatMap((scopeSpans) =>
      all(fieldsOf(scopeSpans), 2).map((span) => readSpan(fieldsOf(span), service)),
    );
  });
}

function readSpan(span: Fields, service: ReceivedSpan['service']): ReceivedSpan {
  return {
    traceId: bytes(span, 1).toString('hex'),
    spanId: bytes(span, 2).toString('hex'),
    traceState: text(span, 3),
    parentSpanId: bytes(span, 4).toString('hex'),
    name: text(span, 5),
    kind: Number(integer(span, 6)),
    startNs: integer(span, 7),
    endNs: integer(span, 8),
    attributes: attributesOf(span, 9),
    status: Number(integer(fieldsOf(bytes(span, 15)), 3)),
    service,
  };
}

function attributesOf(fields: Fields, number: number): ReceivedSpan['attributes'] {
  const entries = all(fields, number).map((pair) => {
    const keyValue = fieldsOf(pair);
    const value = fieldsOf(bytes(keyValue, 2));
    if (value.has(1)) return [text(keyValue, 1), text(value, 1)];
    if (value.has(2)) return [text(keyValue, 1), integer(value, 2) === 1n];
    return [text(keyValue, 1), Number(integer(value, 3))];
  });
  return Object.fromEntries(entries);
}
