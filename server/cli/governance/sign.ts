/** `txledger governance sign`: adds one governor's signature to a proposal. Needs no connection. @module */
import { parseOperatorKey } from '../../app/operator-key.ts';
import { readSecretFile } from '../../app/secret-file.ts';
import { signGovernance } from '../../ledger/index.ts';
import { CommandError } from '../failure.ts';
import { print } from '../output.ts';
import { addressPrefixOf, readProposal, signText, writeProposal } from './proposal-file.ts';
import { explainGovernance } from './words.ts';

export function sign(file: string, options: { readonly key: string }): void {
  const proposal = readProposal(file);
  const { unsigned, chain, signatures } = proposal;
  const parsed = parseOperatorKey(readSecretFile(options.key, "the governor's key (--key)"), addressPrefixOf(proposal));
  if (!parsed.ok) throw new CommandError(`The governor's key at ${options.key} ${parsed.message}.`);
  const { address, seed } = parsed.key;
  if (!chain.governors.includes(address)) {
    throw new CommandError(`${address} is no governor of ${unsigned.chainId}: when this was proposed they were ${chain.governors.join(', ')}.`, 'usage', { code: 'signer_not_allowed' });
  }
  if (signatures.some(({ signer }) => signer === address)) throw new CommandError(`${address} has signed this already.`, 'usage', { code: 'signed_already' });
  const signed = [...signatures, signGovernance(unsigned, address, seed)].toSorted((a, b) => (a.signer < b.signer ? -1 : 1));
  writeProposal(file, { ...proposal, signatures: signed });
  const missing = Math.max(0, chain.threshold - signed.length);
  const explanation = explainGovernance(unsigned);
  print({ file, explanation, signBytes: signText(unsigned), signer: address, signers: signed.map(({ signer }) => signer), missing }, [
    explanation,
    `When it was proposed, at height ${chain.height}, by the word of its proposer: ${chain.before}`,
    `Signed for ${unsigned.chainId}, sequence ${unsigned.sequence}, by ${address}.`,
    missing > 0 ? `Signatures still missing: ${missing}.` : 'Enough governors have signed: txledger governance submit brings it to the chain.',
  ]);
}
