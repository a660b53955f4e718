/**
 * `node scripts/build-server.ts` makes server/dist: the package `@transaction-ledger/server`, ready for `npm pack`.
 *
 *     bin/    the command, which reports a Node.js that is too old
 *     lib/    the server as JavaScript, with every pure JavaScript package bundled
 *     share/  the files that it reads at run time, at their paths in the repository: contract, explorer, documents, vectors
 *
 * @module
 */
import { rmSync } from 'node:fs';
import { buildProgram } from './server-package/program.ts';
import { DIST } from './server-package/places.ts';
import { copyReadFiles } from './server-package/read-files.ts';
import { writeManifest } from './server-package/manifest.ts';
import { writeNotices } from './server-package/notices.ts';

rmSync(DIST, { recursive: true, force: true });
const { bundled, imported } = await buildProgram();
copyReadFiles();
writeManifest(imported);
writeNotices(bundled);
