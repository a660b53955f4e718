/**
 * The first lines of the command line: enables the compile cache of Node.js before anything else is imported. For a server it is in its
 * DATA_DIR, for other commands in the user's cache folder.
 *
 * Plain JavaScript: to strip the types of a single file Node.js loads a compiler, which takes longer than the rest of a small command. With
 * the cache it needs no compiler.
 *
 * @module
 */
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { isNewEnough, whatIsNeeded } from './node-version.js';
import { asksForServer } from './server-names.js';

const FOLDER_MODE = 0o700;
const MODE_OF_OTHERS = 0o077;
const WRITTEN_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const ROOT_USER = 0;
/** All commands together keep about 400 files. With this many, the files of other versions are dropped. */
const FILES_MAX = 5_000;

/**
 * The folder for a user's cached files (XDG Base Directory; on macOS its own folder). By the specification a relative XDG_CACHE_HOME is
 * ignored.
 */
function cacheFolder() {
  const given = process.env.XDG_CACHE_HOME;
  const base =
    given !== undefined && path.isAbsolute(given)
      ? given
      : path.join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  return path.join(base, 'txledger', 'compile-cache');
}

/**
 * Files of this folder are executed, so it is used only if no one else can write to it: the folder belongs to this user alone, and every
 * folder above it belongs to this user or to root and does not allow others to replace it (in /tmp others can write, but cannot move files
 * of other users).
 *
 * @param {string} folder
 */
function isSafe(folder) {
  const user = process.geteuid?.();
  const { uid, mode } = lstatSync(folder);
  if (uid !== user || (mode & MODE_OF_OTHERS) !== 0) return false;
  for (let parent = path.dirname(folder); ; parent = path.dirname(parent)) {
    const above = lstatSync(parent);
    const isForeign = above.uid !== ROOT_USER && above.uid !== user;
    if (isForeign || ((above.mode & WRITTEN_BY_OTHERS) !== 0 && (above.mode & STICKY) === 0)) return false;
    if (parent === path.dirname(parent)) return true;
  }
}

/**
 * Enables the cache of commands. It only saves time: everything works without it, and the user's NODE_COMPILE_CACHE or
 * NODE_DISABLE_COMPILE_CACHE has precedence.
 */
function useCommandCache() {
  if (getCompileCacheDir() !== undefined || process.env.NODE_DISABLE_COMPILE_CACHE !== undefined) return;
  try {
    const folder = cacheFolder();
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    if (!isSafe(folder)) return;
    if (readdirSync(folder, { recursive: true }).length > FILES_MAX) rmSync(folder, { recursive: true, force: true });
    enableCompileCache(folder);
  } catch {
    // The home does not exist or cannot be written: only time is lost.
  }
}

/**
 * Reports missing packages: they were not installed, or the program that installed them does not support the workspaces of this checkout.
 */
function endNotInstalled(error) {
  const name = /^Cannot find package '([^']+)'/.exec(error.message)?.[1];
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw error;
  console.error(
    `The package ${name} is not installed. Run \`npm install\` in the folder of the checkout (docs/OPERATING.md, "What is installed", has other ways).`,
  );
  process.exit(1);
}

if (!isNewEnough()) {
  console.error(
    `${whatIsNeeded()} Run node server/cli/bin.js in place of this file: it uses the one that npm install brought along.`,
  );
  process.exit(1);
}
if (asksForServer(process.argv.slice(2))) {
  if (process.platform === 'win32') {
    console.error(
      'A server does not run on Windows itself, which has neither file modes that keep a key for one user nor SIGTERM. Run it in WSL 2, which is Linux (docs/OPERATING.md, "What is installed").',
    );
    process.exit(1);
  }
  const [{ useCompileCache }, { dataDirOf }] = await Promise.all([
    import('../app/compile-cache.ts'),
    import('../app/data-dir-path.ts'),
  ]);
  useCompileCache(dataDirOf(process.env, process.cwd()));
} else useCommandCache();
const { run } = await import('./main.ts').catch(endNotInstalled);
await run();
