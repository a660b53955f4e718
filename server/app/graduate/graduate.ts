/**
 * `txledger graduate`: continues the chain of a stopped embedded engine in a stock CometBFT node, with the same validator, history and
 * state.
 *
 * 1. Everything but the key is verified and made in a staging folder: both databases, sign state, genesis, the application's folder.
 * 2. The seal is written into DATA_DIR: from here on the embedded engine never signs in it again.
 * 3. The files are moved into their place, then the validator's key: from here on the node can sign.
 * 4. The seal records that everything is in its place: from here on nothing is changed, whatever the node does.
 *
 * A run that is interrupted before 2 has changed nothing. After a later interruption the next run continues with the interrupted step.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  chainConstants,
  diskSignState,
  EngineStartError,
  parseValidatorKey,
  recover,
  sqliteChainStore,
} from '../../engine/embedded/index.ts';
import { upperHex } from '../../engine/encoding/index.ts';
import type { Clock, RandomSource } from '../../engine/ports.ts';
import { openChainDatabase, writing } from '../../store/embedded/connection.ts';
import { StoreDamagedError } from '../../store/errors.ts';
import { readGenesisFile } from '../backup/genesis-file.ts';
import { namedFile } from '../backup/source.ts';
import type { Environment } from '../config-reader.ts';
import { type DataDir, openDataDir } from '../data-dir.ts';
import { dataDirFiles } from '../data-dir-files.ts';
import { bringToLog } from '../chain-index.ts';
import { refuseOldCopy, refuseTornCopy } from '../refuse-old-copy.ts';
import { refuseOtherForm } from '../schema-versions.ts';
import { readSecretFile, refuseSharedPlace } from '../secret-file.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import { writeApplicationState } from './application-state.ts';
import { GraduateError } from './graduate-error.ts';
import { hasKey, homePlaces, installKey, installStaged, isStaged, refuseUsedHome, removeStaging } from './home.ts';
import { readSeal, type Seal, writeSeal } from './seal.ts';
import { writeHome } from './write-home.ts';

export interface GraduateOptions {
  /** Absolute, like the other folders. */
  readonly dataDir: string;
  readonly home: string;
  readonly appDir: string;
  readonly env: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly onProgress: (done: number, all: number) => void;
}

export interface Graduated {
  readonly seal: Seal;
  /** An earlier run had done everything. */
  readonly wasComplete: boolean;
}

/** @throws GraduateError, and any other error whose message states what the operator has to change. */
export async function graduate(options: GraduateOptions): Promise<Graduated> {
  const { dataDir } = options;
  if (!existsSync(dataDirFiles(dataDir).chain))
    throw new GraduateError(`${dataDir} holds no chain of the embedded engine (no chain.db).`);
  chooseSignatureLibrary();
  const folder = openDataDir(dataDir);
  try {
    return await graduateFolder(folder, options);
  } catch (error) {
    if (error instanceof EngineStartError || error instanceof StoreDamagedError)
      throw new GraduateError(`${error.message}.`);
    throw error;
  } finally {
    folder.release();
  }
}

async function graduateFolder({ files }: DataDir, options: GraduateOptions): Promise<Graduated> {
  const { home, appDir, clock } = options;
  refuseSharedPlace(path.join(home, 'config'));
  const before = readSeal(files);
  if (before !== undefined && (before.home !== home || before.appDir !== appDir)) {
    throw new GraduateError(
      `${files.seal} says that this chain goes on in ${before.home}, its application in ${before.appDir}: run the command with these folders (--home, --app-dir). A second home would be a second chain.`,
    );
  }
  if (before?.isComplete === true) return { seal: before, wasComplete: true };

  const keyFile = namedFile({ ...options.env, DATA_DIR: options.dataDir }, options.cwd, 'validatorKey');
  if (keyFile === undefined)
    throw new GraduateError("The validator's key is not there: set VALIDATOR_KEY_FILE to its file.");
  const keyText = readSecretFile(keyFile, 'the validator key');
  const parsed = parseValidatorKey(keyText);
  if (!parsed.ok) throw new GraduateError(`The validator key at ${keyFile} ${parsed.message}.`);
  const { key } = parsed;
  const places = homePlaces(home);

  refuseOtherForm(files.chain, 'chain');
  const sql = openChainDatabase({ path: files.chain });
  try {
    const genesis = readGenesisFile(namedFile({ ...options.env, DATA_DIR: options.dataDir }, options.cwd, 'genesis'));
    const store = sqliteChainStore({ sql, writing: (work) => writing(sql, work) });
    if (store.height() === 0)
      throw new GraduateError('The chain has no block yet: give its genesis file and its key to a node instead.');
    refuseTornCopy(sql, genesis);
    bringToLog(sql, files.chain, { chainId: genesis.chainId, genesisHash: genesis.hash });
    refuseOldCopy(sql, files, genesis);
    const { state, tip } = recover({
      genesis,
      constants: chainConstants(genesis, key),
      key,
      store,
      signStateFile: diskSignState(files.validatorState),
      clock,
      settle: () => undefined,
    });
    const seal = before ?? {
      chainId: genesis.chainId,
      height: tip.height,
      blockHash: upperHex(tip.id.hash),
      appHash: upperHex(state.appHash),
      home,
      appDir,
      sealedAt: new Date(clock.nowMs()).toISOString(),
      isComplete: false,
    };
    if (seal.height !== tip.height || seal.blockHash !== upperHex(tip.id.hash))
      throw new GraduateError(
        `${files.seal} says that the last block is ${seal.height}, and chain.db ends at ${tip.height}: put the chain.db back that belongs to it.`,
      );
    if (before === undefined) refuseUsedHome(places, key.publicKey);
    if (before === undefined || !(hasKey(places, key.publicKey) || isStaged(places))) {
      await writeHome(places, { genesis, store, key, random: options.random, onProgress: options.onProgress });
      writeApplicationState(appDir, {
        chain: genesis,
        height: state.height,
        appHash: state.appHash,
        governance: state.governance(),
        accounts: state.leaves(),
      });
    }
    if (before === undefined) writeSeal(files, seal);
    if (!hasKey(places, key.publicKey)) {
      installStaged(places);
      installKey(places, keyText);
    }
    removeStaging(places);
    const complete = { ...seal, isComplete: true };
    writeSeal(files, complete);
    return { seal: complete, wasComplete: false };
  } finally {
    sql.close();
  }
}
