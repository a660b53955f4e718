/** The version of this package, as a service's log shows it. A test compares it with package.json. */
export const VERSION = '0.1.0';
