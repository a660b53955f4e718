/** Types of node-version.js. @module */
export declare const NODE_VERSION_MIN: readonly [major: number, minor: number];
export declare const isNewEnough: (version?: string) => boolean;
export declare const whatIsNeeded: (version?: string) => string;
export declare const packageOfNode: (platform: string, arch: string, isGlibc: boolean) => string | undefined;
