/** One log line for each broadcast over a websocket: the access log has one line for the upgrade only. */
import { hash } from 'node:crypto';

import type { Clock, Logger } from '../../../engine/ports.ts';
import type { RpcOutcome } from '../../../gateway/rpc/port.ts';
import type { Gateway } from '../../../gateway/types.ts';

import { isBroadcast } from '../access.ts';

export interface BroadcastLogParts {
  gateway: Pick<Gateway, 'rpc'>;
  logger: Logger;
  clock: Clock;
  /** Of the upgrade: what one connection did is found by it. */
  requestId: string;
  client: string | undefined;
  traceparent: string | undefined;
}

/** The gateway's `rpc`, with a line for each broadcast when it is answered. */
export function loggingBroadcasts({ gateway, logger, clock, ...connection }: BroadcastLogParts): Pick<Gateway, 'rpc'> {
  return {
    rpc: async (method, args, principal, client) => {
      if (!isBroadcast(method)) return await gateway.rpc(method, args, principal, client);
      const startMs = clock.monotonicMs();
      const outcome = await gateway.rpc(method, args, principal, client);
      logBroadcast(logger, {
        ...connection,
        method,
        tokenId: principal?.tokenId,
        owner: principal?.owner,
        txHash: args.tx instanceof Uint8Array ? hash('sha256', args.tx, 'hex').toUpperCase() : undefined,
        ...told(outcome),
        durationMs: Math.round((clock.monotonicMs() - startMs) * 100) / 100,
      });
      return outcome;
    },
  };
}

export interface BroadcastLine {
  requestId: string;
  method: string;
  client: string | undefined;
  traceparent: string | undefined;
  tokenId: string | undefined;
  owner: string | undefined;
  /** Undefined for evidence. */
  txHash: string | undefined;
  /** What the mempool said: 0 when it took the transaction. */
  checkCode?: number;
  /** Of the JSON-RPC error, where the mempool was not asked. */
  rpcError?: number;
  durationMs: number;
}

export function logBroadcast(logger: Logger, line: BroadcastLine): void {
  logger.info({ ...line, route: '/rpc/websocket' }, 'broadcast');
}

function told(outcome: RpcOutcome): Pick<BroadcastLine, 'checkCode' | 'rpcError'> {
  if (!outcome.ok) return { rpcError: outcome.error.code };
  const { code, check_tx: check } = JSON.parse(outcome.json) as { code?: number; check_tx?: { code?: number } };
  const checkCode = check?.code ?? code;
  return checkCode === undefined ? {} : { checkCode };
}
