/** Makes refusals: the code, a sentence, and what the caller needs to put it right. */
import type { FieldError, Refusal, RefusalCode } from './types.ts';

export type RefusalParts = Partial<Omit<Refusal, 'ok' | 'code' | 'detail'>>;

export function refuse(code: RefusalCode, detail: string, parts: RefusalParts = {}): Refusal {
  return { ok: false, code, detail, ...parts };
}

/** One field of the request is to blame. */
export function refuseField(code: RefusalCode, pointer: string, message: string, parts: RefusalParts = {}): Refusal {
  const errors: FieldError[] = [{ pointer, message }];
  return refuse(code, message, { errors, ...parts });
}

/** The answer to everyone who may not submit for a bound address, whatever else is wrong with the request. */
export const NOT_SUBMITTER_DETAIL = 'the sender address is bound to another owner, who alone may submit for it';
