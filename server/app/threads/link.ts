/**
 * Calls between threads: one side's functions, callable from the other over a MessagePort.
 *
 * A call has no time limit: long polls are bounded by their own argument, and a thread that no longer answers has died, which ends the
 * process (see spawn.ts). A timer for each call would only add its cost to every transfer.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import { createBirpc } from 'birpc';

/** Functions that can be called across threads: arguments and results are structured-cloneable, and every result is a promise. */
export type Remote<Functions extends object> = {
  [
    Name in keyof Functions as Functions[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
  ]: Functions[Name];
};

const NO_TIMEOUT = -1;

/**
 * @param local the functions that the other side may call here; absent if it calls none.
 * @returns the functions of the other side.
 */
export function link<Functions extends object>(port: MessagePort, local: object = {}): Remote<Functions> {
  const rpc = createBirpc<Record<string, unknown>>(local as Record<string, unknown>, {
    post: (data) => port.postMessage(data),
    on: (listener) => port.on('message', listener),
    bind: 'functions',
    timeout: NO_TIMEOUT,
  });
  return rpc as unknown as Remote<Functions>;
}
