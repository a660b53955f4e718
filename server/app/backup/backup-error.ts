/** Error of a backup that cannot be made, read or restored: a sentence for the operator that names the file or folder. @module */
import { ExplainedError } from '../explained-error.ts';

export class BackupError extends ExplainedError {
  override readonly name = 'BackupError';
}
