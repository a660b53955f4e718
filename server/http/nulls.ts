/**
 * Null for an optional member of a request counts as the member being absent: Jackson and System.Text.Json write it for every member that
 * has no value, and CometBFT reads it so. What is required is refused as any other value of the wrong type.
 */

/** `body` itself is changed: it was made for this request. */
export function dropOptionalNulls(body: unknown, optional: ReadonlySet<string>): void {
  if (optional.size === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const members = body as Record<string, unknown>;
  for (const name of optional) if (members[name] === null) delete members[name];
}
