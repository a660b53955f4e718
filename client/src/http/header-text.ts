/** Text of the caller that becomes a header. */
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';

/** Checked here because the platform's own error would quote the text, and it may be the token. */
export function headerText(argument: string, text: string): string {
  if (!/^[ -~]+$/.test(text)) throw new InvalidArgumentError(argument, 'is visible ASCII');
  return text;
}
