/**
 * Opens the engine of a network. Its modules are loaded only with it, because a server with the embedded engine needs none of them.
 *
 * @module
 */
import type { Engine, EngineMetrics } from '../../engine/port.ts';
import type { Logger } from '../../engine/ports.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import { createClock } from '../environment.ts';
import { StartError } from '../start-error.ts';

export interface EngineChoice {
  nodeUrls: readonly string[];
  searchFile: string;
  statementsFile: string;
  /** Interval of empty blocks that the nodes are configured with (IDLE_BLOCK_INTERVAL_S). */
  idleBlockMs: number;
}

export type OpenEngine = Engine & {
  metrics(): Promise<EngineMetrics>;
  replaceNodes(urls: readonly string[]): Promise<void>;
};

interface Surroundings {
  genesis: GenesisDocument;
  logger: Logger;
  /** Called when the engine has to stop: its memory may be ahead of its disk. */
  onFatal: (error: Error) => void;
}

/** @throws StartError with a sentence for the operator. */
export async function openEngine(
  { nodeUrls, searchFile, statementsFile, idleBlockMs }: EngineChoice,
  surroundings: Surroundings,
): Promise<OpenEngine> {
  const { createCometbftEngine, EngineStartError } = await import('../../engine/cometbft/index.ts');
  try {
    return await createCometbftEngine({
      ...surroundings,
      nodeUrls,
      searchFile,
      statementsFile,
      idleBlockMs,
      clock: createClock(),
    });
  } catch (error) {
    if (error instanceof EngineStartError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}
