/** The same request as a command line. It uses a variable for the token, because a shell keeps pasted text in its history. */
import { copyButton } from '../parts/copy.ts';

export function curlCommand(path: string): string {
  return `curl -H "Authorization: Bearer $TOKEN" '${new URL(path, location.href.split('#')[0])}'`;
}

export function curlButton(hash: string): HTMLButtonElement {
  return copyButton(() => curlCommand(`transactions/${hash}`), 'the request as a curl command', 'Copy as curl');
}
