/** Makes refusals: the code, a sentence, and the facts that the caller needs to correct the request. */
import type { AddressPrefix, ParsedAddress } from '../ledger/index.ts';
import { parseAddress } from '../ledger/index.ts';
import { placeInWords } from './field-place.ts';
import type { FieldError, Refusal, RefusalCode, Sentence } from './types.ts';

export type RefusalParts = Partial<Omit<Refusal, 'ok' | 'code' | 'detail'>>;

export function refuse(code: RefusalCode, detail: Sentence, parts: RefusalParts = {}): Refusal {
  return { ok: false, code, detail, ...parts };
}

/** Refuses a request for the fault of one field. */
export function refuseField(code: RefusalCode, pointer: string, message: Sentence, parts: RefusalParts = {}): Refusal {
  const errors: FieldError[] = [{ pointer, message }];
  return refuse(code, message, { errors, ...parts });
}

type AddressFault = Extract<ParsedAddress, { ok: false }>;

/** Describes the fault of an address. */
export function refuseAddress(pointer: string, { reason, message }: AddressFault, prefix: string): Refusal {
  return refuseField('invalid_address', pointer, describeAddressFault(placeInWords(pointer), reason, message, prefix));
}

/** Describes the faults of a list of addresses in a query; it names each place, counted from 1. */
export function accountsFault(addresses: readonly string[], prefix: AddressPrefix): Refusal | undefined {
  const pointer = '#/query/address';
  const again = addresses.findIndex((address, at) => addresses.indexOf(address) < at);
  const address = addresses[again];
  if (address !== undefined) {
    return refuseField(
      'invalid_request',
      pointer,
      `Value ${again + 1} of ${placeInWords(pointer)} is the same as value ${addresses.indexOf(address) + 1}. Send each address once.`,
    );
  }
  const errors = addresses.flatMap((candidate, at): FieldError[] => {
    const parsed = parseAddress(candidate, prefix);
    return parsed.ok
      ? []
      : [
          {
            pointer,
            message: describeAddressFault(
              `value ${at + 1} of ${placeInWords(pointer)}`,
              parsed.reason,
              parsed.message,
              prefix,
            ),
          },
        ];
  });
  const [first] = errors;
  return first && refuse('invalid_address', first.message, { errors });
}

function describeAddressFault(name: string, reason: AddressFault['reason'], message: string, prefix: string): Sentence {
  const again: Sentence = 'Ask its owner for the address again.';
  switch (reason) {
    case 'checksum':
      return `The checksum of the address in ${name} does not match: a character was changed, lost or swapped. ${again}`;
    case 'not_bech32m':
      return `The checksum of the address in ${name} is that of bech32. Addresses here are bech32m (BIP-350). ${again}`;
    case 'wrong_network':
      return `The address in ${name} is of another network. Addresses of this chain start with ${prefix}1. ${again}`;
    case 'weak_key':
      return `The key of the address in ${name} is not canonical or of small order, so anyone could sign for it. ${again}`;
    case 'format':
      return `The address in ${name} is malformed: ${message}. ${again}`;
  }
}

export const UNKNOWN_TRANSFER_DETAIL = 'No transfer with this hash has been seen here. Check the hash.';

/** The answer to every caller who may not submit for a bound address, even if the request has other faults. */
export const NOT_SUBMITTER_DETAIL: Sentence =
  'The sender address is bound to another owner, who alone may submit for it. Use a token of that owner.';

/** The answer to a read that requires a block which this process does not have in time. */
export function notReached(reached: number, height: number): Refusal {
  return refuse(
    'height_not_reached',
    `The last block here is ${reached}, and Ledger-Height-Min asks for block ${height}. Send the request again after a pause. Leave Ledger-Height-Min out if the height is of another chain.`,
  );
}

/** The answer to a request for events after a place that the log will not reach soon. */
export function placeAhead(head: number, height: number): Refusal {
  return {
    ...refuse(
      'place_ahead',
      `The event log ends at block ${head}, and the place that was asked for is in block ${height}: it is of another chain, or of a time before this service was restored from a backup. Check the base URL, or read again from a place that the log has.`,
    ),
    extra: { height: head },
  };
}

export function beyondChain(height: number, tip: number): Refusal {
  return refuse(
    'not_found',
    `The chain has no block ${height} yet: its last one is ${tip}. Ask for an earlier height.`,
  );
}
