/**
 * The command line's first lines: what Node.js compiled at the last start is found before anything else is imported, a server's in its DATA_DIR and
 * that of other commands in the user's cache folder.
 *
 * Plain JavaScript: to strip the types of a single file Node.js loads a compiler, which takes longer than all the rest of a small command. With what
 * it kept it needs none.
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
/** All commands together keep about 400 files; what other versions left is dropped when there are this many. */
const FILES_MAX = 5_000;

/**
 * Where programs of one user keep what they can make again (XDG Base Directory; on macOS its own place).
 * A relative XDG_CACHE_HOME is to be passed over, the specification says.
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
 * What is read there is run, so it is used only where no one else can write: the folder is this user's alone, and every folder above it belongs to
 * this user or to root and lets no one else put another in its place (in /tmp others can write, and cannot move what is not theirs).
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

/** It only saves time: without it everything works, and a NODE_COMPILE_CACHE or NODE_DISABLE_COMPILE_CACHE of the user decides before it. */
function useCommandCache() {
  if (getCompileCacheDir() !== undefined || process.env.NODE_DISABLE_COMPILE_CACHE !== undefined) return;
  try {
    const folder = cacheFolder();
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    if (!isSafe(folder)) return;
    if (readdirSync(folder, { recursive: true }).length > FILES_MAX) rmSync(folder, { recursive: true, force: true });
    enableCompileCache(folder);
  } catch {
    // A home that does not exist or cannot be written: nothing is lost but time.
  }
}

/** Packages that are not there: nobody installed them, or a program did that does not know the workspaces of this checkout. */
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
