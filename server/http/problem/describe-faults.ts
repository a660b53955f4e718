/** The sentence of a problem about a request that does not fit the contract. */
import { placeInWords } from '../../gateway/field-place.ts';
import type { FieldError, Sentence } from '../../gateway/types.ts';

export function describeFaults([first, ...others]: readonly FieldError[]): Sentence {
  if (first === undefined) return 'The request does not fit the contract.';
  const place = placeInWords(first.pointer);
  if (others.length === 0)
    return `The request does not fit the contract ${first.pointer.startsWith('/') ? 'at' : 'in'} ${place}. ${first.message}`;
  return `The request does not fit the contract in several places. The first is ${place}. ${first.message}`;
}
