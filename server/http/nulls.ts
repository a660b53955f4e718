/**
 * Null for an optional member of a request counts as absent: Jackson and System.Text.Json write it for every member without a value, and
 * CometBFT reads it as absent too. Null for a required member is refused like any other value of the wrong type.
 */

/** Changes `body` itself, which was made for this request. */
export function dropOptionalNulls(body: unknown, optional: ReadonlySet<string>): void {
  if (optional.size === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const members = body as Record<string, unknown>;
  for (const name of optional) if (members[name] === null) delete members[name];
}
