/** Text of the caller's that becomes a header. */
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';

/** Checked here because a platform's own complaint about a header would quote it, and it may be the token. */
export function headerText(argument: string, text: string): string {
  if (!/^[ -~]+$/.test(text)) throw new InvalidArgumentError(argument, 'is visible ASCII');
  return text;
}
