/**
 * A command that has ended with 0 has written what it said: cut the power right then, and every file is there in full under its name. Databases are not
 * compared byte by byte; the backup is verified as it would be after the cut.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chance } from '../client/chaos/chance.ts';
import { environment, type Program, txledger } from '../e2e/support/server.ts';
import { commandResult } from '../support/child-process.ts';
import { Disk, writeDisk } from './disk.ts';
import { buildRecorder, readRecords, recordedBy } from './recording.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';

const DATABASE = /\.db(-wal|-journal|-shm)?$/;
const BACKUP = 'backup';

interface Command {
  args: readonly string[];
  /** Asks the folder that a cut behind it leaves, beyond its files. @returns what is wrong. */
  check?: (folder: string, stdout: string) => Promise<string[]>;
}

/** Run in a folder of their own, one after the other; DATA_DIR is `data` in it. */
const COMMANDS: readonly Command[] = [
  { args: ['key', 'create', '--out', 'key.json'] },
  { args: ['validator-key', 'create', '--out', 'validator.json'] },
  { args: ['token', 'create', '--owner', 'shop', '--scope', 'transactions:read', '--json'], check: tokenIsThere },
  { args: ['backup', '--out', BACKUP, '--with-keys'], check: backupVerifies },
];

/** @returns what is wrong. */
export async function runCommands(options: {
  /** Gets the recordings, and has the data folder of the lives, which nothing runs on. */
  folder: string;
  program: Program;
  tell: (line: string) => void;
}): Promise<string[]> {
  const { folder, program, tell } = options;
  const faults: string[] = [];
  const library = buildRecorder(folder);
  const where = path.join(folder, 'commands');
  mkdirSync(where);
  copyDataDir(path.join(folder, 'data'), path.join(where, 'data'));
  for (const [index, { args, check }] of COMMANDS.entries()) {
    const base = path.join(folder, `command-${index}`);
    const log = path.join(folder, `command-${index}.log`);
    cpSync(where, base, { recursive: true });
    const child = spawn(process.execPath, [path.join(program.cwd, program.file), ...args], {
      cwd: where,
      env: environment({ DATA_DIR: 'data', ...recordedBy(library, where, log) }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stdout, stderr } = await commandResult(child);
    const name = `txledger ${args.join(' ')}`;
    if (code !== 0) {
      faults.push(`${name} ended with ${code}: ${stdout}${stderr}`);
      continue;
    }
    const disk = new Disk(base);
    for (const record of readRecords(log)) disk.follow(record);
    const left = disk.after('lose', chance(0));
    const there = readdirSync(where, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !DATABASE.test(entry.name))
      .map((entry) => path.relative(where, path.join(entry.parentPath, entry.name)));
    for (const file of there) {
      const bytes = left.get(file);
      if (bytes === undefined) faults.push(`${name}: a power cut behind it takes ${file} away`);
      else if (!bytes.equals(readFileSync(path.join(where, file))))
        faults.push(`${name}: a power cut behind it leaves ${bytes.length} bytes of ${file}`);
    }
    if (check !== undefined) {
      const cut = path.join(folder, `command-${index}-cut`);
      writeDisk(cut, left);
      faults.push(...(await check(cut, stdout)));
    }
  }
  tell(`${COMMANDS.length} commands, and a power cut right behind each: ${faults.length} faults`);
  return faults;
}

async function tokenIsThere(folder: string, stdout: string): Promise<string[]> {
  const { id } = JSON.parse(stdout) as { id: string };
  const list = await txledger(['token', 'list', '--json'], { DATA_DIR: path.join(folder, 'data') });
  return list.code === 0 && list.stdout.includes(id)
    ? []
    : [`token ${id} was printed and is gone after a power cut: ${list.stdout}${list.stderr}`];
}

async function backupVerifies(folder: string): Promise<string[]> {
  const { code, stdout, stderr } = await txledger(['verify', path.join(folder, BACKUP)]);
  return code === 0 ? [] : [`the backup does not verify after a power cut behind it: ${stdout}${stderr}`];
}
