/**
 * The home folders of the nodes, and the genesis with their keys and the development accounts.
 *
 * @module
 */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  DEVELOPMENT_ADDRESS_PREFIX,
  DEVELOPMENT_BALANCE,
  DEVELOPMENT_CHAIN_ID,
  DEVELOPMENT_CURRENCY,
  developmentAccounts,
} from '../../server/app/dev-accounts.ts';
import { createRandomSource } from '../../server/app/environment.ts';
import { genesisTimeOf } from '../../server/app/genesis-time.ts';
import { formatOperatorKey, operatorKeyOf, parseOperatorKey } from '../../server/app/operator-key.ts';
import { readSecretFile, createSecretFile } from '../../server/app/secret-file.ts';
import { parseValidatorKey } from '../../server/engine/validator-key.ts';
import { mergeSettings } from '../../server/cli/validator/node-settings.ts';
import { ledgerSettings, MEMPOOL_SIZE_DEFAULT } from '../../server/engine/cometbft/home/settings.ts';
import { setToml, type TomlSettings } from '../../server/engine/cometbft/home/toml.ts';
import { buildGenesis, SEED_BYTES } from '../../server/ledger/index.ts';
import { LocalnetError } from './failure.ts';
import { makeFolder, type LocalnetFolder } from './folder.ts';
import { run } from './run.ts';

/** One of four may fail: the other three have more than two thirds of the power. */
export const VALIDATORS = 4;
/** Equal powers; CometBFT's own tools write 10. */
const VALIDATOR_POWER = 10;
/** The first bytes of the SHA-256 of a node's public key are its id. */
const NODE_ID_BYTES = 20;
const SEED_AND_PUBLIC_KEY_BYTES = 64;

export interface NodePorts {
  rpc: number;
  p2p: number;
  abci: number;
}

const inConfig = (home: string, name: string): string => path.join(home, 'config', name);

function publicKeyOf(home: string): string {
  const parsed = parseValidatorKey(readSecretFile(inConfig(home, 'priv_validator_key.json'), "the validator's key"));
  if (!parsed.ok) throw new LocalnetError(`The validator's key in ${home} ${parsed.message}.`);
  return Buffer.from(parsed.key.publicKey).toString('hex');
}

function nodeIdOf(home: string): string {
  const { priv_key: key } = JSON.parse(readFileSync(inConfig(home, 'node_key.json'), 'utf8')) as {
    priv_key: { value: string };
  };
  const bytes = Buffer.from(key.value, 'base64');
  if (bytes.length !== SEED_AND_PUBLIC_KEY_BYTES)
    throw new LocalnetError(`The key in ${inConfig(home, 'node_key.json')} is no Ed25519 key.`);
  return createHash('sha256')
    .update(bytes.subarray(SEED_AND_PUBLIC_KEY_BYTES / 2))
    .digest('hex')
    .slice(0, 2 * NODE_ID_BYTES);
}

/** Returns the address in a key file, which is made if it does not exist. */
function roleAddress(file: string, what: string): string {
  if (!existsSync(file))
    createSecretFile(
      file,
      formatOperatorKey(operatorKeyOf(createRandomSource().bytes(SEED_BYTES), DEVELOPMENT_ADDRESS_PREFIX)),
    );
  const parsed = parseOperatorKey(readSecretFile(file, what), DEVELOPMENT_ADDRESS_PREFIX);
  if (!parsed.ok) throw new LocalnetError(`${what} at ${file} ${parsed.message}.`);
  return parsed.key.address;
}

/** The genesis is written last: without it there is no chain yet that could depend on the contents of the home folders. */
async function makeChain(folder: LocalnetFolder, cometbft: string): Promise<void> {
  const homes = Array.from({ length: VALIDATORS }, (_, index) => folder.node(index));
  for (const home of homes) {
    rmSync(home, { recursive: true, force: true });
    makeFolder(home);
    const { code, output } = await run(cometbft, ['init', '--home', home]);
    if (code !== 0) throw new LocalnetError(`cometbft init ended with ${code}:\n${output.trimEnd()}`);
  }
  const genesis = buildGenesis({
    genesisTime: genesisTimeOf(Date.now()),
    chainId: DEVELOPMENT_CHAIN_ID,
    addressPrefix: DEVELOPMENT_ADDRESS_PREFIX,
    validators: homes.map((home, index) => ({
      publicKey: publicKeyOf(home),
      power: VALIDATOR_POWER,
      name: `node-${index}`,
    })),
    accounts: developmentAccounts().map(({ address }) => ({ address, balance: DEVELOPMENT_BALANCE })),
    cancellers: [roleAddress(folder.operatorKey, 'The operator key')],
    governors: [roleAddress(folder.governorKey, 'The governor key')],
    threshold: 1,
    currency: DEVELOPMENT_CURRENCY,
  });
  createSecretFile(folder.genesis, Buffer.from(genesis).toString('utf8'));
}

/** Settings that differ from the defaults of `cometbft init`, each with its reason. */
export function nodeSettings(ports: NodePorts, peers: string, mempoolSize: number): TomlSettings {
  return mergeSettings(ledgerSettings(mempoolSize), {
    '': {
      proxy_app: `tcp://127.0.0.1:${ports.abci}`,
      // With the default, four nodes log twenty lines for each block.
      log_level: 'main:info,*:error',
    },
    // It has no protection: loopback only.
    rpc: { laddr: `tcp://127.0.0.1:${ports.rpc}` },
    p2p: {
      laddr: `tcp://127.0.0.1:${ports.p2p}`,
      persistent_peers: peers,
      // All peers are known and have one address.
      pex: false,
      addr_book_strict: false,
      allow_duplicate_ip: true,
    },
    instrumentation: { prometheus: false },
  });
}

/** Writes the file at each start, because ports may change; keys and chain stay as they are. */
export async function prepareNodes(
  folder: LocalnetFolder,
  options: { cometbft: string; ports: readonly NodePorts[]; mempoolSize?: number },
): Promise<void> {
  if (!existsSync(folder.genesis)) await makeChain(folder, options.cometbft);
  const peers = options.ports.map(({ p2p }, index) => `${nodeIdOf(folder.node(index))}@127.0.0.1:${p2p}`);
  for (const [index, ports] of options.ports.entries()) {
    const home = folder.node(index);
    copyFileSync(folder.genesis, inConfig(home, 'genesis.json'));
    const others = peers.filter((_, other) => other !== index).join(',');
    const file = inConfig(home, 'config.toml');
    writeFileSync(
      file,
      setToml(readFileSync(file, 'utf8'), nodeSettings(ports, others, options.mempoolSize ?? MEMPOOL_SIZE_DEFAULT)),
    );
    makeFolder(folder.app(index));
  }
}
