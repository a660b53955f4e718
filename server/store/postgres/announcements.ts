/** Announcements of changes from gateway to gateway: the channel, and the text of a notification. */
import type { StoreChange } from '../types.ts';
import { SEQS_PER_ANNOUNCEMENT_MAX } from './limits.ts';

export const CHANNEL = 'txledger_changes';

export type Announcement = Exclude<StoreChange, { kind: 'missed' }>;

/** One text, or several when the change does not fit into one. `sender` lets a gateway skip its own. */
export function encodeAnnouncement(sender: string, change: Announcement): string[] {
  if (change.kind !== 'cancel_requested') return [JSON.stringify({ sender, ...change })];
  const texts: string[] = [];
  for (let start = 0; start < change.seqs.length; start += SEQS_PER_ANNOUNCEMENT_MAX) {
    texts.push(
      JSON.stringify({ sender, kind: change.kind, seqs: change.seqs.slice(start, start + SEQS_PER_ANNOUNCEMENT_MAX) }),
    );
  }
  return texts;
}

/** Undefined for an announcement that `self` sent and for one of an unknown kind: announcements are hints. */
export function decodeAnnouncement(self: string, text: string): Announcement | undefined {
  const message = parsed(text);
  if (message === undefined || message['sender'] === self) return undefined;
  const { kind, seqs, height } = message;
  if (kind === 'accepted') return { kind };
  if (kind === 'applied' && Number.isSafeInteger(height)) return { kind, height: height as number };
  if (kind === 'cancel_requested' && Array.isArray(seqs) && seqs.every((seq) => Number.isSafeInteger(seq)))
    return { kind, seqs };
  return undefined;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
