/** The HTTP layer as the composition root uses it. */
export { createHttpApp } from './app.ts';
export type { HttpApp, HttpAppParts } from './app.ts';
export { connectionOf, Connections } from './connections/connections.ts';
export { loadContract } from './contract/bundle.ts';
export type { ContractBundle } from './contract/bundle.ts';
export { requestLogMemory } from './explorer/request-log.ts';
export type { HttpOptions, RateLimit } from './options.ts';
export { gatewayFamilies } from './gateway-metrics.ts';
export { addUp, familiesOf } from './metric-families.ts';
export type { MetricFamily } from './metric-families.ts';
export { createHttpServer } from './server.ts';
export type { HttpServerOptions } from './server.ts';
export { SharedUses, sharedMemory } from './shared/uses.ts';
export type { SharedMemory } from './shared/uses.ts';
export { replaceTlsPair } from './secure-server.ts';
export type { TlsPair } from './secure-server.ts';
