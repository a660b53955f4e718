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
 * Words that a client reads: whole sentences, from a capital letter to a full stop. They say what is wrong, what was expected and what
 * to do. The compiler refuses any other form where such words are made.
 */
export type Sentence = `${Capital}${string}.`;
/** What a sentence begins with. */
export type Clause = `${Capital}${string}`;
