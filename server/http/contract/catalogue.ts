/** The problem catalogue, read from the contract: one status, one title and one explanation for each code. */
import type { components } from '../../../generated/openapi.ts';

import type { OpenapiDocument } from './bundle.ts';

export type ProblemCode = components['schemas']['ProblemCode'];

export interface ProblemEntry {
  status: number;
  title: string;
  retriable: boolean;
  cause: string;
  resolution: string;
}

/**
 * The codes of one version of the contract, with that version, which every answer sends in `Contract-Version`, and with the base URL of the
 * page that explains the codes.
 */
export type ProblemCatalogue = ReadonlyMap<string, ProblemEntry> & {
  readonly contractVersion: string;
  readonly publicUrl?: string | undefined;
};

/** @param publicUrl the base URL for clients, ending in a slash, if the operator has set it. */
export function readCatalogue(document: OpenapiDocument, publicUrl?: string): ProblemCatalogue {
  const schema = document.components.schemas?.ProblemCode as
    | { 'x-extensible-enum'?: string[]; 'x-problems'?: Record<string, ProblemEntry> }
    | undefined;
  const catalogue = new Map(Object.entries(schema?.['x-problems'] ?? {}));
  const missing = (schema?.['x-extensible-enum'] ?? []).filter((code) => !catalogue.has(code));
  if (catalogue.size === 0 || missing.length > 0)
    throw new Error(`The contract's problem catalogue lacks: ${missing.join(', ') || 'everything'}.`);
  return Object.assign(catalogue, { contractVersion: document.info.version, publicUrl });
}
