/**
 * The stores, the nodes, the key or the genesis do not belong together, or one of them is damaged. Never repaired by guessing: a person has
 * to decide.
 */
export class EngineStartError extends Error {
  override readonly name: string = 'EngineStartError';
}
