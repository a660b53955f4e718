/** A database that crashes: the one durable step of a block can fail at each of its moments. */
import type { ChainDatabase, ExecutedBlock } from '../../../server/engine/embedded/index.ts';

export class Crash extends Error {
  override readonly name = 'Crash';
}

export const MOMENTS = [
  'before the step',
  'when the block is written',
  'when what settles is written',
  'before the commit',
  'after the step',
] as const;
export type Moment = (typeof MOMENTS)[number];

export interface Crashable {
  database: ChainDatabase;
  settle: (block: ExecutedBlock) => void;
}

/** `due` says whether the step that begins is the one that crashes. */
export function crashing({ database, settle }: Crashable, moment: Moment, due: () => boolean): Crashable {
  const crash = (at: Moment): void => {
    if (at === moment && due()) throw new Crash(at);
  };
  return {
    database: {
      sql: database.sql,
      writing(work) {
        crash('before the step');
        const result = database.writing(() => {
          const done = work();
          crash('before the commit');
          return done;
        });
        crash('after the step');
        return result;
      },
    },
    settle(block) {
      crash('when the block is written');
      settle(block);
      crash('when what settles is written');
    },
  };
}
