/**
 * Turns errors of the client package into sentences and exit codes. Loaded only after a failure, because a server has no client.
 *
 * @module
 */
import { InvalidArgumentError } from '../../client/src/errors/InvalidArgumentError.ts';
import { LedgerClientError } from '../../client/src/errors/LedgerClientError.ts';
import { ProblemError } from '../../client/src/errors/ProblemError.ts';
import { RequestError } from '../../client/src/errors/RequestError.ts';
import { SignerError } from '../../client/src/errors/SignerError.ts';
import { UnknownOutcomeError } from '../../client/src/errors/UnknownOutcomeError.ts';
import type { Failure } from './failure-facts.ts';

function requestFailure(error: RequestError): Failure {
  if (!(error instanceof ProblemError))
    return {
      exit: 'unreachable',
      message: `${error.message}.`,
      facts: { code: 'unreachable', retriable: error.retriable },
    };
  const { code, status, requestId, txHash, errors, docsUrl, retriable } = error;
  const fields = errors.map(({ pointer, message }) => `\n  ${pointer}: ${message}`).join('');
  return {
    exit: 'refused',
    message: `Refused (${status} ${code}): ${error.detail}${fields}\n${docsUrl}, request ${requestId}`,
    facts: {
      code,
      detail: error.detail,
      status,
      retriable,
      requestId,
      ...(txHash === undefined ? {} : { txHash }),
      errors,
      docsUrl,
    },
  };
}

/** The message of the first cause, from the platform: "the connection failed" must not be read as the outcome of the transfer. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}

function unknownOutcome({ operation, txHash, attempts, cause }: UnknownOutcomeError): Failure {
  const isCancel = operation === 'cancelTransaction' || operation === 'submitCancel';
  const what = isCancel ? 'The cancel of' : 'The transfer';
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

/** @returns undefined for an error that is not from the client. */
export function clientFailureOf(error: unknown): Failure | undefined {
  if (error instanceof UnknownOutcomeError) return unknownOutcome(error);
  if (error instanceof RequestError) return requestFailure(error);
  if (error instanceof InvalidArgumentError || error instanceof SignerError)
    return { exit: 'usage', message: `${error.message}.`, facts: { code: 'usage' } };
  if (error instanceof LedgerClientError)
    return { exit: 'unexpected', message: error.message, facts: { code: 'unexpected' } };
  return undefined;
}
