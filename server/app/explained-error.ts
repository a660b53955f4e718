/**
 * Error that keeps a server or a command from its work and is not a defect, apart from the code that throws it: a command line reports it,
 * and most commands load none of that code. @module
 */

/** The message is complete: a sentence for the operator, who has to change something. */
export class ExplainedError extends Error {}
