/** The folders in which the parts of the package are made. */
import path from 'node:path';
import { ROOT } from '../steps.ts';

export const SERVER = path.join(ROOT, 'server');
/** The root of the package. */
export const DIST = path.join(SERVER, 'dist');
export const LIB = path.join(DIST, 'lib');
/** Files that are read at run time are at the same paths as in the repository. */
export const SHARE = path.join(DIST, 'share');
