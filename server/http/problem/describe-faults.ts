/** The sentences of a problem about a request that does not fit the contract. */
import { placeInWords } from '../../gateway/field-place.ts';
import type { FieldError, Sentence } from '../../gateway/types.ts';

/** `help`: what each parameter is, by its pointer; members of a body have a rule each, which says it. */
export function describeFaults(
  [first, ...others]: readonly FieldError[],
  help?: ReadonlyMap<string, Sentence>,
): Sentence {
  if (first === undefined) return 'The request does not fit the contract.';
  const place = placeInWords(first.pointer);
  const about = help?.get(first.pointer);
  const message: Sentence = about === undefined ? first.message : `${first.message} ${about}`;
  if (others.length === 0)
    return `The request does not fit the contract ${first.pointer.startsWith('/') ? 'at' : 'in'} ${place}. ${message}`;
  return `The request does not fit the contract in several places. The first is ${place}. ${message}`;
}
