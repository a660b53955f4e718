/** The body of an answer, read with a bound: whatever stands at the other end, it cannot fill the memory of the caller. */
import { ANSWER_BYTES_MAX } from '../limits.ts';

/** The text of the body, or undefined when it is longer than the bound. The rest of a body that is too long is not read. */
export async function readBody(response: Response): Promise<string | undefined> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
