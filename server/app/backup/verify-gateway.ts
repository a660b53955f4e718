/** Verifies the database of a gateway before CometBFT nodes. @module */
import { BackupError } from './backup-error.ts';
import type { Verifier } from './verify.ts';

export const verifyGateway: Verifier = async () => {
  throw new BackupError('not there yet');
};
