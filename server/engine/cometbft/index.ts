/**
 * The engine over a network of stock CometBFT nodes: it broadcasts to them, follows their chain, and answers the chain's RPC.
 *
 * `createCometbftEngine` reaches them over the network; `CometbftEngine` takes any port to them, which is what a test scripts.
 */
export { EngineStartError } from '../start-error.ts';
export { NOT_TAKEN } from './broadcaster.ts';
export { CometbftEngine, type CometbftEngineParts } from './engine.ts';
export { NodeFailure, type CallLimits, type NodePort, type Subscriber, type Subscription } from './nodes/node-port.ts';
export { createCometbftEngine, type CometbftEngineOptions } from './socket-engine.ts';
