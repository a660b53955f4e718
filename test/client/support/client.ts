/** A client whose pauses take no time but are written down, and whose exchanges the contract judges. */
import { createClient, type Client, type ClientOptions, type Environment } from '../../../client/src/index.ts';
import { judgedFetch } from './contract.ts';

/** No attempt runs out of time by accident, however busy the machine is. */
export const ATTEMPT_TIMEOUT_MS = 60_000;
/** For attempts that are not answered: they really run into their time. */
export const SHORT_TIMEOUT_MS = 400;

export interface TestClient {
  client: Client;
  /** The pauses between attempts, in milliseconds. */
  pauses: number[];
  faults: string[];
  operations: Set<string>;
}

export function testClient(
  baseUrl: string,
  options: Partial<ClientOptions> = {},
  random: () => number = () => 0.5,
): TestClient {
  const pauses: number[] = [];
  const { fetch, faults, operations } = judgedFetch(baseUrl);
  let skippedMs = 0;
  let inFlight = 0;
  // A timer is taken for a pause, which ends at once, until a request follows it in the same breath: then it is that attempt's.
  let makeReal: () => void = () => undefined;
  const environment: Environment = {
    fetch: (request) => {
      makeReal();
      inFlight += 1;
      return fetch(request).finally(() => (inFlight -= 1));
    },
    random,
    nowMs: () => performance.now() + skippedMs,
    setTimer: (callback, delayMs) => {
      let timer: NodeJS.Timeout | undefined;
      // Time is skipped only while nothing happens, as a real clock would have it.
      const skip = (): void => {
        if (inFlight > 0) {
          pause = setImmediate(skip);
          return;
        }
        pauses.push(delayMs);
        skippedMs += delayMs;
        callback();
      };
      let pause = setImmediate(skip);
      makeReal = () => {
        clearImmediate(pause);
        timer = setTimeout(callback, delayMs);
      };
      return () => {
        clearImmediate(pause);
        clearTimeout(timer);
      };
    },
  };
  const client = createClient({
    baseUrl,
    token: 'txl_test_secret',
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    ...options,
    environment: { ...environment, ...options.environment },
  });
  return { client, pauses, faults, operations };
}
