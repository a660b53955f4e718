/** The body of an answer, with a bound: no server can fill the memory of the caller. */
import type { Bytes } from '../crypto/bytes.ts';
import { ANSWER_BYTES_MAX } from '../limits.ts';

/** The same bytes; the stream fails with the error as soon as there are too many. */
export function bounded(body: Response['body'], tooLong: () => Error) {
  let bytes = 0;
  return body?.pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(chunk, out) {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES_MAX) out.error(tooLong());
        else out.enqueue(chunk);
      },
    }),
  );
}
