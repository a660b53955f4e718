/**
 * Which faults test/power/run.ts and test/kills/run.ts see: each is planted in a copy of the server, whose run must then fail with what the fault does.
 *
 *   node test/power/planted.ts [WORDS]      those whose name has the words
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

interface Planted {
  name: string;
  file: string;
  /** Stands in the file once. */
  from: string;
  to: string;
  /** The runner that sees it; unset: run.ts beside this file. */
  runner?: string;
  /** Of the runner. */
  options: readonly string[];
  /** What one of the faults says. */
  sees: RegExp;
}

const POWER = ['--only', 'lives,power', '--lives', '2', '--states', '60', '--first'];
const LOST =
  /was acknowledged \(\w+\) and is not there|was shown as \w+ and is not there|was committed at height|list is answered 401/;

const LOG = ['--only', 'log', '--first'];

const KILLS_RUNNER = 'test/kills/run.ts';
const KILLS = ['--kills', '20', '--first'];

const PLANTED: readonly Planted[] = [
  {
    name: 'log.db: synchronous = NORMAL',
    file: 'server/log/sqlite-log.ts',
    from: "sql.pragma('synchronous = FULL');\n        sql.pragma('wal_autocheckpoint",
    to: "sql.pragma('synchronous = NORMAL');\n        sql.pragma('wal_autocheckpoint",
    options: LOG,
    sees: /was said to be durable/,
  },
  {
    name: 'log.db: drops leave it at synchronous = NORMAL',
    file: 'server/log/sqlite-log.ts',
    from: "} finally {\n      this.#sql.pragma('synchronous = FULL');",
    to: '} finally {',
    options: LOG,
    sees: /was said to be durable/,
  },
  {
    name: 'log.db: a group is written after it was said to be durable',
    file: 'server/log/sqlite-log.ts',
    from: 'this.#append.run(seq, hash, bytes, previous.seq, previous.hash)',
    to: '(setImmediate(() => this.#append.run(seq, hash, bytes, previous.seq, previous.hash)), { changes: 1 })',
    options: LOG,
    sees: /was said to be durable/,
  },
  {
    name: 'log.db: entries behind the bound are dropped',
    file: 'server/log/sqlite-log.ts',
    from: 'const upTo = Math.min(seq, this.head().seq - 1);',
    to: 'const upTo = Math.min(seq + 20, this.head().seq - 1);',
    options: LOG,
    sees: /was said to be durable and is not there/,
  },
  {
    name: 'synchronous = NORMAL',
    file: 'server/store/sqlite/pragmas.ts',
    from: "'synchronous = FULL'",
    to: "'synchronous = NORMAL'",
    options: POWER,
    sees: LOST,
  },
  {
    name: 'synchronous = OFF',
    file: 'server/store/sqlite/pragmas.ts',
    from: "'synchronous = FULL'",
    to: "'synchronous = OFF'",
    options: POWER,
    sees: LOST,
  },
  {
    name: 'the last of a group above 500 is left out of its entry',
    file: 'server/store/embedded/chain-log.ts',
    from: 'encodeEntries(entries))',
    to: 'encodeEntries(entries.length > 500 ? entries.slice(0, -1) : entries))',
    options: POWER,
    sees: LOST,
  },
  {
    name: 'a group is acknowledged and stored 20 ms later',
    file: 'server/gateway/embedded/acceptance.ts',
    from: 'log.journal(accepted.map(entryOf));',
    to: 'setTimeout(() => log.journal(accepted.map(entryOf)), 20);',
    options: POWER,
    sees: LOST,
  },
  {
    name: 'kills: the last of a group above 500 is left out of its entry',
    file: 'server/store/embedded/chain-log.ts',
    from: 'encodeEntries(entries))',
    to: 'encodeEntries(entries.length > 500 ? entries.slice(0, -1) : entries))',
    runner: KILLS_RUNNER,
    options: KILLS,
    sees: /acknowledged and lost|is damaged/,
  },
  {
    name: 'kills: a group is acknowledged and stored 200 ms later',
    file: 'server/gateway/embedded/acceptance.ts',
    from: 'log.journal(accepted.map(entryOf));',
    to: 'setTimeout(() => log.journal(accepted.map(entryOf)), 200);',
    runner: KILLS_RUNNER,
    options: KILLS,
    sees: /VIOLATION/,
  },
  {
    name: 'a key file is not synced before it gets its name',
    file: 'server/platform/disk-file.ts',
    from: 'fsyncSync(descriptor);\n      if (existing',
    to: 'if (existing',
    options: POWER,
    sees: /./,
  },
  {
    name: 'the folder of a key file is not synced',
    file: 'server/platform/disk-file.ts',
    from: 'if (!isRenamed) rmSync(temporary, { force: true });\n  }\n  syncPath(path.dirname(file));',
    to: 'if (!isRenamed) rmSync(temporary, { force: true });\n  }',
    options: ['--only', 'lives,commands', '--lives', '1'],
    sees: /takes key.json away/,
  },
  {
    name: 'a backup is not synced',
    file: 'server/app/backup/files.ts',
    from: 'await handle.sync();',
    to: '',
    options: ['--only', 'lives,commands', '--lives', '1'],
    sees: /backup/,
  },
  {
    name: 'the count of commits is remembered after a read',
    file: 'server/store/embedded/snapshots.ts',
    from: '      isDone = true;',
    to: '      isDone = true;\n      if (count !== undefined) this.#count = this.#commits?.now();',
    options: ['--only', 'freshness'],
    sees: /is answered 404|next nonce is/,
  },
  {
    name: 'the writer counts no commit',
    file: 'server/store/embedded/connection.ts',
    from: 'counted(sql, () => runCommit(sql));',
    to: 'runCommit(sql);',
    options: ['--only', 'freshness'],
    sees: /is answered 404|next nonce is/,
  },
];

const COPIED = ['client', 'generated', 'package.json', 'scripts', 'server', 'spec'];
const tree = mkdtempSync(path.join(tmpdir(), 'txledger-planted-'));
for (const name of COPIED)
  cpSync(path.join(ROOT, name), path.join(tree, name), {
    recursive: true,
    filter: (file) => path.basename(file) !== 'node_modules',
  });
symlinkSync(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'));

const words = process.argv.slice(2).join(' ');
try {
  for (const { name, file, from, to, runner = 'test/power/run.ts', options, sees } of PLANTED.filter((fault) =>
    fault.name.includes(words),
  )) {
    const where = path.join(tree, file);
    const text = readFileSync(where, 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} has not once ${from}`);
    writeFileSync(
      where,
      text.replace(from, () => to),
    );
    const startedMs = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [runner, '--tree', tree, ...options], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    writeFileSync(where, text);
    const seconds = `${Math.round((performance.now() - startedMs) / 1000)} s`;
    const seen = stdout.split('\n').find((line) => /^(FAULT|VIOLATION)/.test(line) && sees.test(line));
    const kept = /(?:recordings and the disks with a fault are in|the folder is) ([^: ]+)/.exec(stdout)?.[1];
    if (kept !== undefined) rmSync(kept, { recursive: true });
    if (status === 1 && seen !== undefined) console.log(`seen in ${seconds}: ${name}\n    ${seen}`);
    else {
      console.log(`NOT SEEN in ${seconds}: ${name}\n${stdout}${stderr}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(tree, { recursive: true });
}
