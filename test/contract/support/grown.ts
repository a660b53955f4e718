/** What a later version may add to an answer: a member to every object, and a value to every list of values that may grow. */

/** Members whose values later versions may add to. */
const GROWING = ['code', 'status', 'outcome', 'signatureStatus', 'transactionStatus', 'event', 'kind'];
/** Of the probes' `status` there is one value. */
const CLOSED = ['ok', 'ready'];
export const ADDED = 'added_in_2030';

/** A copy in which every object has a member more, and each text of a growing list is one that no one knows. */
export function grown(value: any): any {
  if (Array.isArray(value)) return value.map(grown);
  if (typeof value !== 'object' || value === null) return value;
  // The code of a currency is no list of ours.
  if ('scale' in value) return { ...value, addedMember: { more: 1 } };
  const members = Object.entries(value).map(([name, member]) => [
    name,
    GROWING.includes(name) && typeof member === 'string' && !CLOSED.includes(member) ? ADDED : grown(member),
  ]);
  return { ...Object.fromEntries(members), addedMember: { more: 1 } };
}
