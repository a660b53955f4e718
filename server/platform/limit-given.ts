/**
 * `LIMIT ?`, as a statement that runs often has it. SQLite reads the value behind a plain `LIMIT ?` while it plans, and so plans again each time
 * that one is bound, also the same one: 20 us for a page of ten rows of 14. What is computed it does not read.
 */
export const LIMIT_GIVEN = 'LIMIT ? + 0';
