/** The gateway between callers and the chain. The HTTP threads' client and the ledger service may run on different threads. */
export {
  accessIn,
  type AdministeredAccess,
  type Administration,
  type AdministrationParts,
  type BindResult,
  createAdministration,
  type NewToken,
  OWNER_PATTERN,
  type RotateResult,
  type Rotation,
  type UnbindResult,
} from './access/administration.ts';
export type { GatewayCoreApi, Submission, Wait } from './core-api.ts';
export { createGatewayCore, type GatewayCore, type GatewayCoreOptions } from './core.ts';
export { createGatewayFront, type GatewayFrontOptions } from './front.ts';
export { WrongStoreError } from './initialise.ts';
export * from './limits.ts';
export * from './types.ts';
