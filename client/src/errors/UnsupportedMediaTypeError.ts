import { ProblemError } from './ProblemError.ts';

/** The service does not accept the media type or the encoding of the body. */
export class UnsupportedMediaTypeError extends ProblemError<'unsupported_media_type'> {
  declare readonly name: 'UnsupportedMediaTypeError';
}
