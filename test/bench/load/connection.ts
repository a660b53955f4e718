/** One kept connection that carries one request at a time, as bytes made beforehand. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type OnResponse, ResponseParser } from './response-parser.ts';

const READ_BYTES = 64 * 1024;

export class Connection {
  /** What to do with the next answer; set before each request. */
  onResponse: OnResponse = () => {};
  /** Called once when the other side ends the connection or it breaks. */
  onBroken: (error: Error) => void = () => {};
  readonly #socket: Socket;
  #closed = false;

  private constructor(port: number) {
    const parser = new ResponseParser((status, body) => this.onResponse(status, body));
    const onread = {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (length: number, buffer: Uint8Array): boolean => {
        try {
          parser.feed(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        } catch (error) {
          this.#break(error as Error);
        }
        return true;
      },
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.on('error', (error) => this.#break(error));
    this.#socket.on('close', () => this.#break(new Error('the server closed a connection')));
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await once(connection.#socket, 'connect');
    return connection;
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #break(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.onBroken(error);
  }
}

export function openConnections(port: number, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => Connection.open(port)));
}
