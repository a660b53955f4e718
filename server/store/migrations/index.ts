/** Every migration in order. The list is written by hand because a folder scan would run whatever lies in the folder. */
import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';

export const MIGRATIONS: Record<string, Migration> = {
  '0001-initial': initial,
};
