/** `txledger governance sign`: adds one governor's signature to a proposal. It needs no connection. @module */
import { type OperatorKey, parseOperatorKey } from '../../app/operator-key.ts';
import { readSecretFile } from '../../app/secret-file.ts';
import { type AddressPrefix, signGovernance } from '../../ledger/index.ts';
import { CommandError } from '../failure.ts';
import { print } from '../output.ts';
import { addressPrefixOf, type Proposal, readProposal, signText, writeProposal } from './proposal-file.ts';
import { explainGovernance } from './words.ts';

/** The address and seed in a governor's key file, which must be of a governor of this chain. @throws CommandError */
export function governorKeyOf(
  file: string,
  {
    chainId,
    addressPrefix,
    governors,
  }: { chainId: string; addressPrefix: AddressPrefix; governors: readonly string[] },
): OperatorKey {
  const parsed = parseOperatorKey(readSecretFile(file, "the governor's key (--key)"), addressPrefix);
  if (!parsed.ok) throw new CommandError(`The governor's key at ${file} ${parsed.message}.`);
  if (!governors.includes(parsed.key.address)) {
    throw new CommandError(
      `${parsed.key.address} is no governor of ${chainId}: when this was proposed they were ${governors.join(', ')}.`,
      'usage',
      { code: 'signer_not_allowed' },
    );
  }
  return parsed.key;
}

/** Adds one signature, in the order that the chain requires. */
export function signedBy(proposal: Proposal, { address, seed }: OperatorKey): Proposal {
  const signatures = [...proposal.signatures, signGovernance(proposal.unsigned, address, seed)].toSorted((a, b) =>
    a.signer < b.signer ? -1 : 1,
  );
  return { ...proposal, signatures };
}

export function sign(file: string, options: { readonly key: string }): void {
  const proposal = readProposal(file);
  const { unsigned, chain, signatures } = proposal;
  const key = governorKeyOf(options.key, {
    chainId: unsigned.chainId,
    addressPrefix: addressPrefixOf(proposal),
    governors: chain.governors,
  });
  const { address } = key;
  if (signatures.some(({ signer }) => signer === address))
    throw new CommandError(`${address} has signed this already.`, 'usage', { code: 'signed_already' });
  const signed = signedBy(proposal, key);
  writeProposal(file, signed);
  const missing = Math.max(0, chain.threshold - signed.signatures.length);
  const explanation = explainGovernance(unsigned);
  print(
    {
      file,
      explanation,
      signBytes: signText(unsigned),
      signer: address,
      signers: signed.signatures.map(({ signer }) => signer),
      missing,
    },
    [
      explanation,
      `When it was proposed, at height ${chain.height}, by the word of its proposer: ${chain.before}`,
      `Signed for ${unsigned.chainId}, sequence ${unsigned.sequence}, by ${address}.`,
      missing > 0
        ? `Signatures still missing: ${missing}.`
        : 'Enough governors have signed: txledger governance submit brings it to the chain.',
    ],
  );
}
