/** Speaks raw bytes to a server, for what no HTTP client would send. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { contractFaults } from './contract-check.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake?.();
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  async closed(): Promise<void> {
    while (!this.#closed) await this.#more();
  }

  /** The next answer on the connection; undefined when the connection ends without one. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const text = this.#received.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end >= 0) {
        const [line = '', ...fields] = text.slice(0, end).split('\r\n');
        const headers = Object.fromEntries(
          fields.map((field) => [
            field.slice(0, field.indexOf(':')).toLowerCase(),
            field.slice(field.indexOf(':') + 1).trim(),
          ]),
        );
        const length = Number(headers['content-length'] ?? 0);
        if (this.#received.length >= end + 4 + length) {
          const body = this.#received.subarray(end + 4, end + 4 + length).toString('utf8');
          this.#received = this.#received.subarray(end + 4 + length);
          return { status: Number(line.split(' ')[1]), headers, body };
        }
      }
      if (this.#closed) return undefined;
      await this.#more();
    }
  }

  /** The next answer, which must be a problem that fits the contract. */
  async problem(operation?: string): Promise<RawAnswer & { code: string }> {
    const answer = await this.answer();
    if (answer === undefined) throw new Error('The connection ended without an answer.');
    const faults = contractFaults(operation, answer.status, answer.headers, Buffer.from(answer.body));
    if (faults.length > 0) throw new Error(`${answer.status} against the contract: ${faults.join('; ')}`);
    return { ...answer, code: (JSON.parse(answer.body) as { code: string }).code };
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
