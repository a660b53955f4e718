/**
 * Opens the engine that the configuration chose. Only the modules of that one are loaded: neither needs the other's.
 *
 * @module
 */
import type { Engine, EngineMetrics } from '../../engine/port.ts';
import type { Logger } from '../../engine/ports.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import { createClock } from '../environment.ts';
import { readSecretFile } from '../secret-file.ts';
import { StartError } from '../start-error.ts';

export type EngineChoice =
  | { kind: 'embedded'; dataDir: string; validatorKeyFile: string; blockIntervalMs: number }
  | { kind: 'cometbft'; nodeUrls: readonly string[]; searchFile: string };

export type OpenEngine = Engine & { metrics(): Promise<EngineMetrics> };

interface Surroundings {
  genesis: GenesisDocument;
  logger: Logger;
  /** The engine must not go on: its memory may be ahead of its disk. */
  onFatal: (error: Error) => void;
}

async function openEmbedded(choice: Extract<EngineChoice, { kind: 'embedded' }>, surroundings: Surroundings): Promise<OpenEngine> {
  const { createEmbeddedEngine, EngineStartError, parseValidatorKey } = await import('../../engine/embedded/index.ts');
  const { dataDir, validatorKeyFile, blockIntervalMs } = choice;
  const parsed = parseValidatorKey(readSecretFile(validatorKeyFile, 'the validator key'));
  if (!parsed.ok) throw new StartError(`The validator key at ${validatorKeyFile} ${parsed.message}.`);
  try {
    return await createEmbeddedEngine({ ...surroundings, dataDir, validatorKey: parsed.key, blockIntervalMs, clock: createClock() });
  } catch (error) {
    if (error instanceof EngineStartError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

async function openCometbft(choice: Extract<EngineChoice, { kind: 'cometbft' }>, surroundings: Surroundings): Promise<OpenEngine> {
  const { createCometbftEngine, EngineStartError } = await import('../../engine/cometbft/index.ts');
  const { nodeUrls, searchFile } = choice;
  try {
    return await createCometbftEngine({ ...surroundings, nodeUrls, searchFile, clock: createClock() });
  } catch (error) {
    if (error instanceof EngineStartError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

/** @throws StartError with a sentence for the operator. */
export function openEngine(choice: EngineChoice, surroundings: Surroundings): Promise<OpenEngine> {
  return choice.kind === 'embedded' ? openEmbedded(choice, surroundings) : openCometbft(choice, surroundings);
}
