/**
 * The commands that are servers: their compile cache is in their DATA_DIR.
 *
 * Plain JavaScript: an old Node.js can read it too, and no other file has to be compiled first.
 *
 * @module
 */
const SERVERS = ['start', 'serve', 'app'];

/** @param {readonly string[]} words of the command line */
export const asksForServer = ([first]) => first !== undefined && SERVERS.includes(first);
