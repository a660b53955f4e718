/** When a phase says nothing about the server, because the loader or others had the cores, or because it was another job than meant. */
export const LOADER_CORES_MAX = 0.85;
export const OTHERS_CORES_MAX = 0.3;

export interface Circumstances {
  refused: number;
  loaderCores: number;
  othersCores: number;
}

/** @returns why the phase is void: nothing when it counts. */
export function voidBecause({ refused, loaderCores, othersCores }: Circumstances): string[] {
  const reasons: string[] = [];
  if (refused > 0) reasons.push(`${refused} refused`);
  if (loaderCores > LOADER_CORES_MAX) reasons.push(`the loader took ${loaderCores.toFixed(2)} cores`);
  if (othersCores > OTHERS_CORES_MAX) reasons.push(`others took ${othersCores.toFixed(2)} cores`);
  return reasons;
}

/** On a loaded machine (`--allow-noise`) a phase counts in spite of others' work, and is marked; what was refused is never allowed. */
export function counts(reasons: readonly string[], circumstances: Circumstances, allowNoise: boolean): boolean {
  return reasons.length === 0 || (allowNoise && circumstances.refused === 0);
}
