/**
 * Time as blocks have it: nanoseconds since the Unix epoch, UTC, in a bigint.
 *
 * Header times carry nanoseconds and are hashed, so they never pass through a JavaScript Date, which would cut them to milliseconds.
 */
import { message, varintField } from './proto.ts';

export const NS_PER_MS = 1_000_000n;
export const NS_PER_S = 1_000_000_000n;

const RFC3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** Protobuf google.protobuf.Timestamp. */
export function encodeTimestamp(timeNs: bigint): Buffer {
  const { seconds, nanos } = splitNs(timeNs);
  return message(varintField(1, seconds), varintField(2, nanos));
}

/** Whole seconds (rounded towards the past) and the nanoseconds left over. */
export function splitNs(timeNs: bigint): { seconds: bigint; nanos: number } {
  const nanos = ((timeNs % NS_PER_S) + NS_PER_S) % NS_PER_S;
  return { seconds: (timeNs - nanos) / NS_PER_S, nanos: Number(nanos) };
}

export function joinNs(seconds: bigint, nanos: number): bigint {
  return seconds * NS_PER_S + BigInt(nanos);
}

export function nsToMs(timeNs: bigint): number {
  return Number(timeNs / NS_PER_MS);
}

/** RFC 3339 with nanoseconds as Go's time.RFC3339Nano prints them: trailing zeros cut, no fraction when it is zero. */
export function formatTime(timeNs: bigint): string {
  const { seconds, nanos } = splitNs(timeNs);
  const toSecond = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${toSecond}${fraction}Z`;
}

/** Nanoseconds of an RFC 3339 text; undefined when it is not one. */
export function parseTime(text: string): bigint | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const ms = Date.parse(`${match[1]}T${match[2]}${match[4]}`);
  if (Number.isNaN(ms)) return undefined;
  return BigInt(ms) * NS_PER_MS + BigInt((match[3] ?? '').padEnd(9, '0'));
}
