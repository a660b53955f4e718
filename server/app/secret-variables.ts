/**
 * Variables whose value is a secret, and their `_FILE` variants: the environment of a process can be read in more places
 * than a file of mode 0600 (`docker inspect`, crash reports, child processes), so each may name a file that holds it.
 *
 * @module
 */
import path from 'node:path';
import type { ConfigFault, Environment } from './config-reader.ts';
import { readSecretFile, SecretFileError } from './secret-file.ts';

/** Variables of a server. An RPC address holds a secret if its path is the key of a hosted node. */
export const SECRET_VARIABLES = ['DATABASE_URL', 'TXLEDGER_READ_DATABASE_URL', 'COMETBFT_RPC_URL'] as const;
/** Variables of the commands that call a service. */
export const SECRET_COMMAND_VARIABLES = ['TXLEDGER_TOKEN'] as const;

export type SecretVariable = (typeof SECRET_VARIABLES)[number] | (typeof SECRET_COMMAND_VARIABLES)[number];

const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/**
 * @param options.cwd the folder that a relative path starts from.
 * @param options.group group that may read the file too.
 * @returns the value, without the line feed at its end; undefined when neither variable is set.
 */
export function readSecretVariable(
  env: Environment,
  name: SecretVariable,
  options: { cwd: string; group?: number | undefined },
): { ok: true; value: string | undefined } | { ok: false; fault: ConfigFault } {
  const fileName = `${name}_FILE`;
  const given = textOf(env, fileName);
  if (given === undefined) return { ok: true, value: textOf(env, name) };
  const fault = (expected: string) => ({ ok: false, fault: { name: fileName, value: given, expected } }) as const;
  if (textOf(env, name) !== undefined) return fault(`nothing, or ${name} unset: the two could say different things`);
  try {
    const value = readSecretFile(path.resolve(options.cwd, given), name, options.group).trim();
    return value === '' ? fault(`a file that holds ${name}: this one is empty`) : { ok: true, value };
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    return fault(`a file of mode 0600 that holds ${name}. ${error.message}`);
  }
}

/** Returns the environment in which each of `names` has the content of its file, in place of its `_FILE` variable. */
export function withSecretFiles(
  env: Environment,
  names: readonly SecretVariable[],
  options: { cwd: string; group?: number | undefined },
): { env: Environment; faults: readonly ConfigFault[] } {
  const faults: ConfigFault[] = [];
  const filled: Record<string, string | undefined> = { ...env };
  for (const name of names) {
    const read = readSecretVariable(env, name, options);
    if (read.ok) filled[name] = read.value;
    else faults.push(read.fault);
  }
  return { env: filled, faults };
}
