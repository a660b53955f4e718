/** The version of this package, which the logs of a service show. A test compares it with package.json. */
export const VERSION = '0.1.0';
