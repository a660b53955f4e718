/**
 * Ports of the parts: chosen from the free ones at the first start, stored, and checked at each start.
 *
 * @module
 */
import { createServer } from 'node:net';

/** From 32768 on the kernel assigns ports to outgoing connections, so that one may be taken at any moment. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const HOST = '127.0.0.1';

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
}

export class Ports {
  readonly #taken: Set<number>;

  /** @param taken ports that are never returned. */
  constructor(taken: readonly number[]) {
    this.#taken = new Set(taken);
  }

  /** The stored port when no other program listens on it now, else a free one. */
  async take(remembered: number | undefined): Promise<number> {
    if (remembered !== undefined && !this.#taken.has(remembered) && (await isFree(remembered)))
      return this.#keep(remembered);
    for (;;) {
      const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
      if (!this.#taken.has(port) && (await isFree(port))) return this.#keep(port);
    }
  }

  #keep(port: number): number {
    this.#taken.add(port);
    return port;
  }
}
