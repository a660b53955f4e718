/**
 * Waits for the requests in flight before the server ends.
 *
 * The listener stays open meanwhile, because a probe of /readyz must get 503 and not a refused connection, and a submission must get
 * `shutting_down`, which means that it may be sent again elsewhere. Requests that arrive during the drain are answered but not waited for:
 * a steady stream of them would keep the process alive forever.
 *
 * @module
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { InFlight } from '../engine/in-flight.ts';
import type { Clock } from '../engine/ports.ts';

export interface RequestTracker {
  /** Requests whose headers have been read and whose answer is not finished. */
  inFlight(): number;
  /**
   * Adds `Connection: close` to every answer from now on. Resolves when all requests that are in flight at this moment are answered, or
   * after `msMax`, with the number of unanswered ones.
   */
  drain(msMax: number): Promise<number>;
}

export function trackRequests(server: Server, clock: Clock): RequestTracker {
  const open = new InFlight<ServerResponse>();
  let draining = false;
  let onAnswered: (() => void) | undefined;

  const askToClose = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };

  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (draining) {
      askToClose(response);
      return;
    }
    const end = open.begin(response);
    // 'close' comes after the answer has left, and also when the client went away before.
    response.once('close', () => {
      end();
      onAnswered?.();
    });
  });

  return {
    inFlight: () => open.size,
    drain: (msMax) =>
      new Promise((resolve) => {
        draining = true;
        for (const response of open.items()) askToClose(response);
        const finish = (): void => {
          deadline.cancel();
          onAnswered = undefined;
          resolve(open.size);
        };
        const deadline = clock.setTimer(finish, msMax);
        onAnswered = () => {
          if (open.size === 0) finish();
        };
        onAnswered();
      }),
  };
}

/**
 * Takes no new connections and closes those without a request; after `msMax` also those with one.
 * Resolves when all are closed.
 */
export function closeServer(server: Server, clock: Clock, msMax: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = clock.setTimer(() => server.closeAllConnections(), msMax);
    server.close(() => {
      cut.cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
