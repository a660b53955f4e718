/** The keys of the chains in these fixtures, which everyone may know. They are not packed: a fixture holds no secret. */
import { mkdirSync } from 'node:fs';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { formatOperatorKey, operatorKeyOf } from '../../server/app/operator-key.ts';
import { writeSecretFile } from '../../server/app/secret-file.ts';
import { formatValidatorKey } from '../../server/engine/validator-key.ts';

const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

export function writeFixtureKeys(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const files = dataDirFiles(dataDir);
  writeSecretFile(files.validatorKey, formatValidatorKey(seed(71)));
  writeSecretFile(files.operatorKey, formatOperatorKey(operatorKeyOf(seed(72), 'txlt')));
  writeSecretFile(files.governorKey, formatOperatorKey(operatorKeyOf(seed(73), 'txlt')));
}
