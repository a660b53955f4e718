/** Why a backup cannot be made, read or restored: a sentence for the operator that names the file or folder. @module */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
