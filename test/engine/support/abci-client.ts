/** A small ABCI client over a socket: what a node does, one request at a time or many in one write. */
import { once } from 'node:events';
import net from 'node:net';
import { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import type { DeepPartial } from 'cosmjs-types/helpers';
import { BLOCK_MAX_BYTES, type GenesisDocument } from '../../../server/ledger/index.ts';

/** A request as protobuf, every field that is left out at its zero. */
export type RequestParts = DeepPartial<Request>;

const BLOCK_SECONDS = 1_790_000_000n;

function delimited(body: Uint8Array): Buffer {
  const head: number[] = [];
  let rest = body.length;
  for (; rest >= 0x80; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, rest]), body]);
}

/** A node says the time of every block that it asks about: what a test leaves out is one second a block. */
function timed({ prepareProposal, processProposal, finalizeBlock, ...others }: RequestParts): RequestParts {
  const withTime = <T extends { height?: bigint | undefined }>(request: T | undefined) =>
    request && { time: { seconds: BLOCK_SECONDS + (request.height ?? 0n), nanos: 0 }, ...request };
  return {
    ...others,
    prepareProposal: withTime(prepareProposal),
    processProposal: withTime(processProposal),
    finalizeBlock: withTime(finalizeBlock),
  } as RequestParts;
}

export function requestFrame(parts: RequestParts): Buffer {
  return delimited(
    Request.encode(Request.fromPartial(timed(parts) as Parameters<typeof Request.fromPartial>[0])).finish(),
  );
}

/** InitChain as a node makes it from its genesis file. */
export function initChainOf(genesis: GenesisDocument): NonNullable<RequestParts['initChain']> {
  const document = JSON.parse(Buffer.from(genesis.bytes).toString()) as { app_state: object };
  return {
    time: { seconds: BigInt(Math.floor(Date.parse(genesis.genesisTime) / 1000)), nanos: 0 },
    chainId: genesis.chainId,
    consensusParams: {
      block: { maxBytes: BigInt(BLOCK_MAX_BYTES), maxGas: -1n },
      validator: { pubKeyTypes: ['ed25519'] },
      version: { app: 1n },
      abci: { voteExtensionsEnableHeight: 0n },
    },
    validators: genesis.validators.map(({ publicKey, power }) => ({
      pubKey: { ed25519: Buffer.from(publicKey, 'hex') },
      power: BigInt(power),
    })),
    appStateBytes: Buffer.from(JSON.stringify(document.app_state)),
    initialHeight: 1n,
  };
}

export class AbciClient {
  readonly socket: net.Socket;
  #buffer = Buffer.alloc(0);
  readonly #waiting: { resolve: (response: Response) => void; reject: (error: Error) => void }[] = [];
  /** Writes that arrived: how often the server wrote. */
  chunks = 0;

  private constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.chunks += 1;
      this.#buffer = Buffer.concat([this.#buffer, chunk]);
      this.#deliver();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('the connection was closed'));
    });
  }

  static async connect(address: { path: string } | { host: string; port: number }): Promise<AbciClient> {
    const socket = net.connect(address);
    await once(socket, 'connect');
    return new AbciClient(socket);
  }

  /** The next answer that comes. */
  answer(): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) reject(new Error('the connection was closed'));
      else this.#waiting.push({ resolve, reject });
    });
  }

  /** Sends requests in one write; their answers in order. */
  all(requests: readonly RequestParts[]): Promise<Response[]> {
    const answers = Promise.all(requests.map(() => this.answer()));
    this.socket.write(Buffer.concat(requests.map(requestFrame)));
    return answers;
  }

  async ask(request: RequestParts): Promise<Response> {
    const [answer] = await this.all([request]);
    if (!answer) throw new Error('no answer');
    return answer;
  }

  close(): void {
    this.socket.destroy();
  }

  #deliver(): void {
    for (;;) {
      let length = 0;
      let head = 0;
      for (; ; head++) {
        const byte = this.#buffer[head];
        if (byte === undefined) return;
        length += (byte & 0x7f) * 2 ** (7 * head);
        if (byte < 0x80) break;
      }
      const end = head + 1 + length;
      if (this.#buffer.length < end) return;
      const response = Response.decode(this.#buffer.subarray(head + 1, end));
      this.#buffer = this.#buffer.subarray(end);
      this.#waiting.shift()?.resolve(response);
    }
  }
}
