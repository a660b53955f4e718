/** What keeps a server or a command from its work and is no defect, apart from what throws it: a command line tells it, and most commands load none of that. @module */

/** The message is all there is to say: a sentence for the operator, who has to change something. */
export class ExplainedError extends Error {}
