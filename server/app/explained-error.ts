/**
 * Error that stops a server or a command and is not a defect. It is in a file of its own because every command reports it, but most load
 * none of the code that throws it.
 *
 * @module
 */

/** The message is complete: a sentence for the operator, who has to change something. */
export class ExplainedError extends Error {}
