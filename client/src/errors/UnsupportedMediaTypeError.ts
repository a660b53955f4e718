import { ProblemError } from './ProblemError.ts';

/** The body arrived in another media type or encoding than the service takes. */
export class UnsupportedMediaTypeError extends ProblemError<'unsupported_media_type'> {
  declare readonly name: 'UnsupportedMediaTypeError';
}
