type Capital =
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'N'
  | 'O'
  | 'P'
  | 'Q'
  | 'R'
  | 'S'
  | 'T'
  | 'U'
  | 'V'
  | 'W'
  | 'X'
  | 'Y'
  | 'Z';

/**
 * Text for clients: whole sentences, from a capital letter to a full stop. They say what is wrong, what was expected and what to do. The
 * compiler refuses any other form where such text is made.
 */
export type Sentence = `${Capital}${string}.`;
/** Beginning of a sentence. */
export type Clause = `${Capital}${string}`;
