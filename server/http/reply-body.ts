/**
 * Returns the body of a reply. If its handler writes the text itself, the body is made only here, on demand (see `text` in typed/types.ts).
 */
export function bodyOf({ body, text }: { body?: unknown; text?: (() => string) | undefined }): unknown {
  return text === undefined ? body : (body as () => unknown)();
}
