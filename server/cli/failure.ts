/**
 * How a command ends when it cannot do what was asked: sentences on standard error or, with --json, one document on
 * standard output, and an exit code. No stack trace, unless it is a defect.
 *
 * @module
 */
import { DataDirError } from '../app/data-dir.ts';
import { ListenError } from '../app/listen.ts';
import { MaterialsError } from '../app/materials.ts';
import { SecretFileError } from '../app/secret-file.ts';
import { StartError } from '../app/start-error.ts';
import { DatabaseUnreachableError } from '../app/store-location.ts';
import { InvalidArgumentError, LedgerClientError, ProblemError, RequestError, SignerError, UnknownOutcomeError } from './client.ts';
import { EXIT, type ExitName } from './exit-codes.ts';
import { wantsJson } from './output.ts';

/** What stands in the document of a failure beside its message. */
export interface FailureFacts {
  readonly code?: string;
  readonly [member: string]: unknown;
}

/** What the person at the terminal did or has to do; the message is all there is to say. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exit: ExitName;
  readonly facts: FailureFacts;

  constructor(message: string, exit: ExitName = 'usage', facts: FailureFacts = {}) {
    super(message);
    this.exit = exit;
    this.facts = facts;
  }
}

const EXPLAINED = [DataDirError, ListenError, MaterialsError, SecretFileError, StartError];

interface Failure {
  readonly exit: ExitName;
  readonly message: string;
  readonly facts: FailureFacts;
}

function requestFailure(error: RequestError): Failure {
  if (!(error instanceof ProblemError)) return { exit: 'unreachable', message: `${error.message}.`, facts: { code: 'unreachable', retriable: error.retriable } };
  const { code, status, requestId, txHash, errors, docsUrl, retriable } = error;
  const fields = errors.map(({ pointer, message }) => `\n  ${pointer}: ${message}`).join('');
  return {
    exit: 'refused',
    message: `Refused (${status} ${code}): ${error.detail}${fields}\n${docsUrl}, request ${requestId}`,
    facts: { code, detail: error.detail, status, retriable, requestId, ...(txHash === undefined ? {} : { txHash }), errors, docsUrl },
  };
}

/** What the platform said in the first place: "the connection failed" must not be read as the transfer's fate. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}

function unknownOutcome({ operation, txHash, attempts, cause }: UnknownOutcomeError): Failure {
  const what = operation === 'submitTransaction' ? 'The transfer' : 'The cancel of';
  return {
    exit: 'unknown',
    message: [
      `${what} ${txHash} was sent, and no answer says whether it took effect. It may be accepted already, or still arrive.`,
      `Look it up: txledger get ${txHash} --wait`,
      `The last of ${attempts} attempts ended with: ${rootMessage(cause)}`,
    ].join('\n'),
    facts: { code: 'unknown_outcome', txHash, attempts },
  };
}

/** @returns undefined for a defect. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof CommandError) return { exit: error.exit, message: error.message, facts: { code: error.exit, ...error.facts } };
  if (error instanceof UnknownOutcomeError) return unknownOutcome(error);
  if (error instanceof RequestError) return requestFailure(error);
  if (error instanceof InvalidArgumentError || error instanceof SignerError) return { exit: 'usage', message: `${error.message}.`, facts: { code: 'usage' } };
  if (error instanceof DatabaseUnreachableError) return { exit: 'unreachable', message: error.message, facts: { code: 'database_unreachable', retriable: true } };
  if (EXPLAINED.some((type) => error instanceof type)) return { exit: 'usage', message: (error as Error).message, facts: { code: 'usage' } };
  if (error instanceof LedgerClientError) return { exit: 'unexpected', message: error.message, facts: { code: 'unexpected' } };
  return undefined;
}

export function reportFailure({ exit, message, facts }: Failure): void {
  if (wantsJson()) console.log(JSON.stringify({ error: { ...facts, message, exitCode: EXIT[exit] } }, undefined, 2));
  else console.error(message);
}

/** Runs a command's action. Anything unexpected keeps its stack trace: it is a defect, and that is how it is found. */
export async function runCommand(action: () => Promise<void> | void): Promise<void> {
  try {
    await action();
  } catch (error) {
    const failure = failureOf(error);
    if (failure) reportFailure(failure);
    else {
      console.error(error);
      if (wantsJson()) reportFailure({ exit: 'unexpected', message: String(error), facts: { code: 'unexpected' } });
    }
    // Threads and timers may be running already, and they would keep the process alive.
    process.exit(EXIT[failure?.exit ?? 'unexpected']);
  }
}
