/** Errors after which the engine must not go on: a person has to look. */

/** The stores, the key or the genesis do not belong together, or one of them is damaged. Never repaired by guessing. */
export class EngineStartError extends Error {
  override readonly name: string = 'EngineStartError';
}

/** Signing was refused because it could be a second signature at a height. */
export class DoubleSignError extends EngineStartError {
  override readonly name: string = 'DoubleSignError';
}
