/** Options of the HTTP layer that the composition root sets. Everything else is in limits.ts or in the contract. */

import type { ExplorerDevelopment } from './explorer/development.ts';
import type { RpcAccess } from './rpc/access.ts';

/** At most `requests` at once, and as many again in every `windowS` seconds. */
export interface RateLimit {
  /** Units of cost: a light request counts as one (cost.ts). */
  requests: number;
  windowS: number;
}

/** Bounds of the event streams that are open at one time. */
export interface StreamBounds {
  all: number;
  perAddress: number;
  perToken: number;
}

export interface HttpOptions {
  /**
   * Names that the Host header may carry, `example.org` (any port) or `example.org:8443` (that port only). IPv6 literals are in brackets.
   * Without this check a web page could reach a service on loopback by rebinding its own name to 127.0.0.1.
   */
  allowedHosts: readonly string[];
  /** Origins of web pages that may call, such as `https://app.example.org`. If empty, no CORS headers are sent. */
  corsOrigins: readonly string[];
  /** Addresses or CIDR blocks of proxies whose X-Forwarded-For is trusted. If empty, the peer address counts. */
  trustedProxies: readonly string[];
  /** Connections open at one time: altogether, and of one client address. A trusted proxy is not a client. */
  connectionsMax: number;
  connectionsPerAddressMax: number;
  /** Only tests shorten it. */
  noProgressMsMax?: number;
  /** Only tests change them. */
  eventStreams?: Partial<StreamBounds>;
  eventHeartbeatMs?: number;
  /** Access rule for the chain's RPC. */
  rpcAccess: RpcAccess;
  /** Websockets that one client address (IPv6: one /64) may have open. */
  websocketsPerClientMax: number;
  /** Undefined: no limits, as in development. */
  rateLimits: { perToken: RateLimit; perClient: RateLimit } | undefined;
  /** Compares every answer with the contract. It takes time and is meant for tests. */
  validateResponses: boolean;
  /** Adds the target and the reason of a refusal to the line of a request, for a log that the caller reads: in development. */
  logsForPeople?: boolean | undefined;
  /** Contact for reports of vulnerabilities, a mailto: or https: URL; without it security.txt is not served. */
  securityContact?: string | undefined;
  /** The base URL of the service for its clients, with a slash at its end. */
  publicUrl?: string | undefined;
  /** Build of the service, for /livez and /chain. */
  build?: { version: string; commit?: string | undefined } | undefined;
  /** Undefined: the explorer is off, and `/` is the plain page. `development`: facts that only a development server's explorer may have. */
  explorer?: { development: ExplorerDevelopment | undefined } | undefined;
  /** In development an answer that breaks the contract becomes a 500; otherwise it is sent, logged and counted. */
  development: boolean;
}
