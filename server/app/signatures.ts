/**
 * Chooses the library that verifies signatures in this thread: libsodium, which takes 0.6 of the time of node:crypto, if it can be loaded
 * and gives the published answers; node:crypto otherwise.
 *
 * A difference in one answer between two validators is a fork. So the STRICT checks stay in the ledger for either library, the published
 * vectors are compared at every start, and test/ledger/compare-equations.ts compares any number of crafted signatures.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { useEquation, verifyStrict, type VerifyEquation } from '../ledger/index.ts';

const VECTORS = new URL('../../spec/vectors/', import.meta.url);
/** The only edge case of novifinancial/ed25519-speccheck that STRICT accepts (DESIGN section 4). */
const SPECCHECK_ACCEPTED = 3;

interface Vector {
  publicKey: string;
  message: string;
  signature: string;
  accepted: boolean;
}

/** `why`: the reason why the faster library is not used. */
export type SignatureLibrary = { name: 'sodium-native' } | { name: 'node:crypto'; why: string };

/** Loads libsodium, compares it, and uses it in this thread if the comparison passes. `load` is only for tests. */
export function chooseSignatureLibrary(load: () => VerifyEquation = loadSodium): SignatureLibrary {
  let sodium: VerifyEquation;
  try {
    sodium = load();
  } catch (error) {
    return {
      name: 'node:crypto',
      why: `sodium-native cannot be loaded: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`,
    };
  }
  const wrong = publishedVectors().findIndex(({ publicKey, message, signature, accepted }) => {
    const solved = verifyStrict(
      Buffer.from(publicKey, 'hex'),
      Buffer.from(message, 'hex'),
      Buffer.from(signature, 'hex'),
      sodium,
    );
    return solved !== accepted;
  });
  if (wrong !== -1) return { name: 'node:crypto', why: `sodium-native decides published vector ${wrong} wrongly` };
  useEquation(sodium);
  return { name: 'sodium-native' };
}

/** The package is optional: its binaries cover Linux, macOS and Windows, and other machines use node:crypto. */
export function loadSodium(): VerifyEquation {
  const sodium = createRequire(import.meta.url)('sodium-native') as {
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  };
  return (publicKey, message, signature) => sodium.crypto_sign_verify_detached(signature, message, publicKey);
}

function publishedVectors(): Vector[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, VECTORS), 'utf8'));
  const own = read('ed25519.json') as Vector[];
  const published = read('ed25519-speccheck.json') as { message: string; pub_key: string; signature: string }[];
  return [
    ...own,
    ...published.map(({ pub_key: publicKey, ...rest }, index) => ({
      ...rest,
      publicKey,
      accepted: index === SPECCHECK_ACCEPTED,
    })),
  ];
}
