/** What only a development server offers on the overview. */
export function developmentTools(_signal: AbortSignal): HTMLElement[] {
  return [];
}
