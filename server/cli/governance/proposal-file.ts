/**
 * The file that governors pass on to each other: the proposal, the exact bytes that are signed, and the signatures so far.
 *
 * Only `signBytes` is signed, so only data that follows from it is used: the members and the explanation are computed again and compared at
 * every reading. `chain` is the answer of the proposer's service; it is only information for people.
 *
 * @module
 */
import { writeWholeFile } from '../../platform/disk-file.ts';
import {
  type AddressPrefix,
  decodeTransaction,
  encodeTransaction,
  type GovernanceSignature,
  parseAddress,
  signBytes,
  verifyStrict,
  withSignatures,
} from '../../ledger/index.ts';
import { CommandError } from '../failure.ts';
import { readStrictFile } from '../strict-file.ts';
import { explainGovernance, type UnsignedGovernance } from './words.ts';

/** Far above the size with sixteen signatures and governors. */
const FILE_BYTES_MAX = 64 * 1024;
const FILE_MODE = 0o644;
const MEMBERS = ['chain', 'chainId', 'explanation', 'kind', 'power', 'sequence', 'signBytes', 'signatures', 'subject'];

/** The chain at the moment when the proposal was made. */
export interface ProposalChain {
  readonly height: number;
  readonly threshold: number;
  readonly governors: readonly string[];
  /** The values that the proposal would change, at that moment. */
  readonly before: string;
}

export interface Proposal {
  readonly unsigned: UnsignedGovernance;
  readonly chain: ProposalChain;
  readonly signatures: readonly GovernanceSignature[];
}

export const signText = (unsigned: UnsignedGovernance): string => Buffer.from(signBytes(unsigned)).toString('latin1');

export function addressPrefixOf({ chain }: Proposal): AddressPrefix {
  return chain.governors[0]?.startsWith('txlt1') === true ? 'txlt' : 'txl';
}

export function proposalText({ unsigned, chain, signatures }: Proposal): string {
  const { chainId, action: kind, power, sequence, subject } = unsigned;
  const document = {
    explanation: explainGovernance(unsigned),
    chainId,
    kind,
    power,
    sequence,
    subject,
    signBytes: signText(unsigned),
    chain,
    signatures,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** @throws CommandError, with `first` also if a file of this name exists. */
export function writeProposal(file: string, proposal: Proposal, { first = false } = {}): void {
  try {
    writeWholeFile(file, proposalText(proposal), { mode: FILE_MODE, existing: first ? 'keep' : 'replace' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandError(`${file} exists already and is not overwritten.`);
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}

type Json = Readonly<Record<string, unknown>>;

/** Checks the members with the ledger's own decoder, which needs at least one signature. */
function fieldsFault(
  unsigned: UnsignedGovernance,
  signatures: readonly GovernanceSignature[],
  governors: readonly string[],
): string | undefined {
  const standIn =
    signatures.length > 0
      ? signatures
      : governors.slice(0, 1).map((signer) => ({ signature: '0'.repeat(128), signer }));
  const decoded = decodeTransaction(encodeTransaction(withSignatures(unsigned, standIn)));
  return decoded.ok ? undefined : decoded.refusal.log;
}

function isChain(chain: unknown): chain is ProposalChain {
  const { height, threshold, governors, before } = (chain ?? {}) as Json;
  return (
    Number.isSafeInteger(height) &&
    Number.isSafeInteger(threshold) &&
    typeof before === 'string' &&
    Array.isArray(governors) &&
    governors.length > 0 &&
    governors.every((each) => typeof each === 'string')
  );
}

function isSignatures(signatures: unknown): signatures is GovernanceSignature[] {
  return (
    Array.isArray(signatures) &&
    signatures.every(
      (each: Json | null) => typeof each?.['signer'] === 'string' && typeof each['signature'] === 'string',
    )
  );
}

/** An invalid signature would make the chain refuse the whole transaction. */
function signatureFault({ unsigned, signatures, ...rest }: Proposal): string | undefined {
  const prefix = addressPrefixOf({ unsigned, signatures, ...rest });
  const bytes = signBytes(unsigned);
  for (const { signer, signature } of signatures) {
    const key = parseAddress(signer, prefix);
    if (!key.ok) return `the signer ${signer} is no address: ${key.message}`;
    if (!verifyStrict(key.publicKey, bytes, Buffer.from(signature, 'hex')))
      return `the signature of ${signer} is not of this proposal`;
  }
  return undefined;
}

/** @throws CommandError for a file whose parts contradict each other. */
export function readProposal(file: string): Proposal {
  const refuse = (why: string): CommandError =>
    new CommandError(`${file} is not used: ${why}.`, 'usage', { code: 'invalid_proposal' });
  const document = readStrictFile(file, FILE_BYTES_MAX, 'invalid_proposal') as Json | null;
  const members = typeof document === 'object' && document !== null ? Object.keys(document).toSorted() : [];
  if (document === null || members.join() !== MEMBERS.join())
    throw refuse(`a proposal has the members ${MEMBERS.join(', ')} and no others`);
  const { chain, chainId, explanation, kind, power, sequence, signatures, subject } = document;
  if (!isChain(chain)) throw refuse('its member "chain" is not one that txledger governance propose writes');
  if (!isSignatures(signatures)) throw refuse('its "signatures" are no list of {"signature","signer"}');
  const unsigned = { kind: 'governance', chainId, action: kind, power, sequence, subject } as UnsignedGovernance;
  const fault = fieldsFault(unsigned, signatures, chain.governors);
  if (fault !== undefined) throw refuse(fault);
  if (document['signBytes'] !== signText(unsigned))
    throw refuse('what it shows and what is signed ("signBytes") differ');
  if (explanation !== explainGovernance(unsigned)) throw refuse('its explanation is not what is signed');
  const proposal: Proposal = { unsigned, chain, signatures };
  const forged = signatureFault(proposal);
  if (forged !== undefined) throw refuse(forged);
  return proposal;
}
