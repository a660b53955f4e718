/** ops/systemd as systemd reads it, and its ExecStart of one run by hand with its environment: names of files are replaced, nothing else. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const UNITS = path.join(ROOT, 'ops/systemd');
/** Every unit of ops/systemd. */
export const UNIT_NAMES = ['txledger', 'txledger-app', 'cometbft', 'txledger-gateway'] as const;
export type UnitName = (typeof UNIT_NAMES)[number];
const PROGRAM = path.join(ROOT, 'server/dist/bin/txledger.js');
const INSTALLED = '/opt/transaction-ledger/node_modules/@transaction-ledger/server/bin/txledger.js';
/** Exposure as systemd counts it, from 0 to 10. A service that listens cannot come to 0. One directive weighs so little that DIRECTIVES names them as well. */
const EXPOSURE_MAX = 2;

/** What each unit says, word for word, whatever systemd's sum is. */
const DIRECTIVES = [
  ...['NoNewPrivileges=true', 'CapabilityBoundingSet=', 'AmbientCapabilities=', 'RestrictSUIDSGID=true'],
  ...[
    'ProtectSystem=strict',
    'ProtectHome=true',
    'PrivateTmp=true',
    'PrivateDevices=true',
    'StateDirectoryMode=0700',
    'UMask=0077',
  ],
  ...[
    'ProtectClock=true',
    'ProtectControlGroups=true',
    'ProtectHostname=true',
    'ProtectKernelLogs=true',
    'ProtectKernelModules=true',
    'ProtectKernelTunables=true',
    'ProtectProc=invisible',
    'ProcSubset=pid',
  ],
  ...[
    'LockPersonality=true',
    'RemoveIPC=true',
    'RestrictNamespaces=true',
    'RestrictRealtime=true',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
  ],
  ...['SystemCallArchitectures=native', 'SystemCallFilter=@system-service', 'SystemCallFilter=~@privileged @resources'],
  ...[
    'Type=exec',
    'StartLimitIntervalSec=0',
    'RestartSec=1',
    'KillMode=mixed',
    'LimitNOFILE=65536',
    'LimitCORE=0',
    'WantedBy=multi-user.target',
  ],
];
const OWN_DIRECTIVES: Record<UnitName, readonly string[]> = {
  txledger: [
    'User=txledger',
    'Restart=on-failure',
    'RestartPreventExitStatus=2',
    'TimeoutStopSec=30',
    'ExecReload=/bin/kill -HUP $MAINPID',
    'StateDirectory=txledger',
    'MemoryMax=4G',
    'TasksMax=256',
  ],
  'txledger-app': [
    'User=txledger',
    'Restart=always',
    'RestartPreventExitStatus=2',
    'Upholds=cometbft.service',
    'StateDirectory=txledger-app',
    'MemoryMax=2G',
    'TasksMax=256',
  ],
  cometbft: [
    'User=cometbft',
    'Restart=always',
    'BindsTo=txledger-app.service',
    'After=txledger-app.service network-online.target',
    'MemoryDenyWriteExecute=true',
    'StateDirectory=cometbft',
    'MemoryMax=4G',
    'TasksMax=512',
  ],
  'txledger-gateway': [
    'User=txledger',
    'Restart=always',
    'RestartPreventExitStatus=2',
    'TimeoutStopSec=30',
    'ExecReload=/bin/kill -HUP $MAINPID',
    'StateDirectory=txledger-gateway',
    'MemoryMax=4G',
    'TasksMax=256',
  ],
};

export const unitFile = (name: UnitName): string => readFileSync(path.join(UNITS, `${name}.service`), 'utf8');
const runnable = (text: string): string =>
  text
    .replaceAll('/usr/bin/node ', `${process.execPath} `)
    .replaceAll('/usr/local/bin/cometbft ', `${process.execPath} `)
    .replaceAll(INSTALLED, PROGRAM);

/** @returns the directives that a unit lacks. */
export function lacking(name: UnitName, text: string): readonly string[] {
  const lines = new Set(text.split('\n'));
  return [...DIRECTIVES, ...OWN_DIRECTIVES[name]].filter((directive) => !lines.has(directive));
}

/** @returns what each check says of each unit with one directive taken out or turned round: an empty list when all of them are caught. */
export function uncaughtPlants(): readonly string[] {
  return UNIT_NAMES.flatMap((name) => {
    const text = unitFile(name);
    return [...DIRECTIVES, ...OWN_DIRECTIVES[name]]
      .filter(
        (directive) =>
          !lacking(name, text.replace(`\n${directive}\n`, '\n')).includes(directive) ||
          !lacking(name, text.replace(`\n${directive}\n`, `\n#${directive}\n`)).includes(directive),
      )
      .map((directive) => `${name}: ${directive}`);
  });
}

/** @returns what systemd-analyze objects to. All units are in one folder, because they name each other. */
export function judgeUnit(folder: string, name: UnitName, text = unitFile(name)): { faults: string; exposure: number } {
  for (const each of UNIT_NAMES)
    writeFileSync(path.join(folder, `${each}.service`), runnable(each === name ? text : unitFile(each)));
  const file = path.join(folder, `${name}.service`);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  const own = stderr.split('\n').filter((line) => UNIT_NAMES.some((each) => line.includes(each)));
  const security = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
    encoding: 'utf8',
  }).stdout;
  return {
    faults: own.length > 0 ? own.join('\n') : status === 0 ? '' : stderr,
    exposure: Number(/exposure level for \S+: ([0-9.]+)/.exec(security)?.[1] ?? 10),
  };
}

export const isHardened = (exposure: number): boolean => exposure <= EXPOSURE_MAX;

/** The variables of a unit's EnvironmentFile, with this folder in place of those of a whole machine. */
export function unitVariables(
  folder: string,
  changed: Record<string, string>,
  file: 'serve' | 'app' | 'gateway' = 'serve',
): Record<string, string> {
  const text = readFileSync(path.join(UNITS, `${file}.env`), 'utf8')
    .replaceAll('/etc/txledger/', `${folder}/`)
    .replaceAll(/\/var\/lib\/txledger[a-z-]*/g, path.join(folder, 'data'));
  return {
    ...Object.fromEntries(
      text
        .split('\n')
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => line.split('=', 2) as [string, string]),
    ),
    ...changed,
  };
}

/** ExecStart, as the unit writes it. */
export function startUnit(variables: Record<string, string>): ChildProcess {
  const [program = '', ...args] = (/^ExecStart=(.+)$/m.exec(runnable(unitFile('txledger')))?.[1] ?? '').split(' ');
  return spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The packed program, which the unit starts. */
export function packServer(): void {
  execFileSync(process.execPath, ['scripts/build-server.ts'], { cwd: ROOT, stdio: 'ignore' });
  if (!existsSync(PROGRAM)) throw new Error(`there is no ${PROGRAM}`);
}

/** The server as it was landed with an earlier contract, on the packages of this checkout. */
export function earlierServer(commit: string, folder: string): string {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status !== 0) {
    // A clone without history, as continuous integration makes them.
    const fetched = spawnSync('git', ['fetch', '--quiet', '--depth=1', 'origin', commit], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (fetched.status !== 0)
      throw new Error(
        `The build before is commit ${commit}, which this clone lacks and origin did not give (${fetched.stderr.trim()}). Run: git fetch --unshallow`,
      );
  }
  mkdirSync(folder);
  execFileSync(
    'sh',
    [
      '-c',
      `git archive ${commit} server generated spec docs client package.json package-lock.json | tar --extract --directory ${folder}`,
    ],
    { cwd: ROOT },
  );
  for (const modules of ['node_modules', 'server/node_modules'])
    if (existsSync(path.join(ROOT, modules)))
      execFileSync('ln', ['-s', path.join(ROOT, modules), path.join(folder, modules)]);
  return path.join(folder, 'server/cli/txledger.ts');
}
