/** The body of a reply: where its handler writes the text itself, the body is made only when it is asked for (see `text` in typed/types.ts). */
export function bodyOf({ body, text }: { body?: unknown; text?: (() => string) | undefined }): unknown {
  return text === undefined ? body : (body as () => unknown)();
}
