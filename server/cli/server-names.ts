/**
 * The commands that are servers: what they need is loaded as fast as can be, and nothing of the other commands.
 *
 * @module
 */
const SERVERS = ['start', 'serve', 'app'] as const;

export const isServer = (command: string | undefined): boolean => (SERVERS as readonly (string | undefined)[]).includes(command);
