/** `txledger validator new-key`: writes another key for the node of a home, once the old one has no power. @module */
import { existsSync, readFileSync } from 'node:fs';
import { createRandomSource } from '../../app/environment.ts';
import { createSecretFile, writeSecretFile } from '../../app/secret-file.ts';
import { formatSignState } from '../../engine/embedded/sign-state.ts';
import { formatValidatorKey } from '../../engine/validator-key.ts';
import { SEED_BYTES } from '../../ledger/index.ts';
import type { ConnectionOptions } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { chainStateOfService } from '../governance/chain-state.ts';
import { facts, print } from '../output.ts';
import { assertStopped, chainIdOf, homeOf, inHome, signedOf, validatorOf } from './home.ts';
import { signedHeaderAt } from './node.ts';
import { serviceNode } from './observe.ts';
import { powerOf } from './plan.ts';

/** Sign state of a key that has signed nothing. */
const NOTHING_SIGNED = { height: 0, round: 0, step: 0, signature: undefined, signBytes: undefined };

export async function newKey(options: ConnectionOptions & { readonly home: string }): Promise<void> {
  const home = homeOf(options.home);
  assertStopped(home);
  const [keyFile, stateFile] = [inHome(home, 'validatorKey'), inHome(home, 'signState')];
  const old = validatorOf(keyFile);
  signedOf(stateFile);
  const { chainId, governance } = await chainStateOfService(options);
  if (chainIdOf(inHome(home, 'genesis')) !== chainId)
    throw new CommandError(
      `${home} is a home of ${chainIdOf(inHome(home, 'genesis'))}, and the service is of ${chainId}.`,
      'usage',
      { code: 'wrong_chain' },
    );
  const power = powerOf(governance.validators, old.publicKey);
  // A change has effect two blocks later, so a key without power may still have to sign.
  const { commit } = await signedHeaderAt(serviceNode(options));
  const isNamed = commit.signatures.some(({ validator_address: each }) => each === old.address);
  if (power > 0 || isNamed) {
    throw new CommandError(
      `${old.address} ${power > 0 ? `still has a power of ${power}` : `is still asked to sign, at block ${commit.height}`}: txledger validator remove --validator ${old.publicKey} first.`,
      'refused',
      { code: 'has_power' },
    );
  }
  const kept = [keyFile, stateFile].map((file) => file.replace(/\.json$/, `-${old.address}.json`));
  const seed = createRandomSource().bytes(SEED_BYTES);
  const [keptKey, keptState] = kept as [string, string];
  const text = readFileSync(keyFile, 'utf8');
  // An interrupted run may have left this same key here. It may have signed more since.
  if (!existsSync(keptKey) || readFileSync(keptKey, 'utf8') !== text) createSecretFile(keptKey, text);
  writeSecretFile(keptState, readFileSync(stateFile, 'utf8'));
  // The key is written first: with the old sign state the new key can only sign later than necessary, and the old key is never combined
  // with a new sign state.
  writeSecretFile(keyFile, formatValidatorKey(seed));
  writeSecretFile(stateFile, formatSignState(NOTHING_SIGNED));
  const made = validatorOf(keyFile);
  print({ home, ...made, before: old, kept }, [
    ...facts([
      ['public key', made.publicKey],
      ['address', made.address],
      ['before', old.address],
    ]),
    `The old key and what it signed are kept: ${kept.join(', ')}. Start the node, then txledger validator add.`,
  ]);
}
