/** The same question on a command line. The token is a variable there: what is pasted into a shell is kept in its history. */
import { copyButton } from '../parts/copy.ts';

export function curlCommand(path: string): string {
  return `curl -H "Authorization: Bearer $TOKEN" '${new URL(path, location.href.split('#')[0])}'`;
}

export function curlButton(hash: string): HTMLButtonElement {
  return copyButton(() => curlCommand(`transactions/${hash}`), 'the request as a curl command', 'Copy as curl');
}
