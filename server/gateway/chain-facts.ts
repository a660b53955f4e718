/** Part of GET /chain that comes from the genesis file: the same for both engines. */
import { CHAIN_FORMAT, type GenesisDocument } from '../ledger/index.ts';
import type { ChainView } from './types.ts';

export type ChainFacts = Pick<ChainView, 'genesisHash' | 'currency' | 'openingMinimum' | 'format'>;

export function chainFacts({
  hash,
  currency,
  openingMinimum,
}: Pick<GenesisDocument, 'hash' | 'currency' | 'openingMinimum'>): ChainFacts {
  return { genesisHash: hash, currency, openingMinimum: openingMinimum.toString(), format: CHAIN_FORMAT };
}
