/** Types of server-names.js. @module */
export declare const asksForServer: (words: readonly string[]) => boolean;
