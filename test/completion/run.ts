/**
 * `node test/completion/run.ts`: completes command lines in the real bash, zsh and fish, as a person does at a terminal where a shell knows no other way.
 *
 * What each script proposes is compared with the commands themselves; a shell that is not installed is a failure.
 *
 * @module
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProgram } from '../../server/cli/program.ts';
import { completionOf, SHELLS, type Shell } from '../../server/cli/completion/index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-completion-'));
const program = await createProgram();
const scriptOf = Object.fromEntries(
  SHELLS.map((shell) => {
    const file = path.join(folder, `txledger.${shell}`);
    writeFileSync(file, completionOf(shell, program));
    return [shell, file];
  }),
) as Record<Shell, string>;
writeFileSync(path.join(folder, 'transfer-of-a-test.json'), '{}');

/** What is typed, and all that must be proposed: by name, nothing more. */
const names = (command: { commands: readonly { name(): string }[] }): string[] =>
  command.commands.map((each) => each.name()).filter((name) => name !== 'help');
const token = program.commands.find((each) => each.name() === 'token') as typeof program;
const FILE = path.join(folder, 'transfer-of-a-test.json');
const CASES: readonly (readonly [typed: string, proposed: readonly string[]])[] = [
  ['txledger ', names(program)],
  ['txledger acc', ['account']],
  ['txledger token ', names(token)],
  ['txledger token cr', ['create']],
  ['txledger list --sta', ['--status']],
  ['txledger list --status ', ['pending', 'committed', 'failed', 'cancelled', 'expired']],
  ['txledger list --limit 5 --status comm', ['committed']],
  ['txledger token create --scope transactions:w', ['transactions:write']],
  ['txledger watch --type transaction.f', ['transaction.failed']],
  ['txledger send --to dev-1 --from dev-', Array.from({ length: 10 }, (_, index) => `dev-${index}`)],
  ['txledger account dev-7', ['dev-7']],
  [`txledger explain ${folder}/transfer`, [FILE]],
  [`txledger send --key-file ${folder}/transfer`, [FILE]],
  ['txledger completion z', ['zsh']],
];

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Readline's own work in bash: its words, as COMP_WORDS has them, are those between spaces, because the script asks for that. */
function askBash(typed: string): string[] {
  const program = `source '${scriptOf.bash}'; [[ $COMP_WORDBREAKS != *:* ]] || exit 9; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _txledger; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines(execFileSync('bash', ['--norc', '-c', program, 'bash', ...typed.split(' ')], { encoding: 'utf8' }));
}

function askFish(typed: string): string[] {
  const asked = execFileSync('fish', ['--no-config', '-c', `source '${scriptOf.fish}'; complete -C '${typed}'`], {
    encoding: 'utf8',
  });
  return lines(asked).map((line) => line.split('\t')[0] as string);
}

/** Holds a terminal for zsh, types each line and Tab, and takes the line back; zsh says whenever it begins to read a line, because what is typed before is not completed. */
const TERMINAL = String.raw`
import fcntl, os, pty, select, struct, sys, termios, time
folder, lines = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0: os.execvp('zsh', ['zsh', '-f', '-i'])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 200, 120, 0, 0))
def until(mark):
    end = time.time() + 20
    while mark not in open(folder + '/proposed').read().split('\n'):
        if time.time() > end: sys.exit('zsh did not come to ' + mark)
        if select.select([terminal], [], [], 0.02)[0]: os.read(terminal, 65536)
def say(text): os.write(terminal, text.encode())
say('source ' + folder + '/inside.zsh\n'); until('READY')
for number, line in enumerate(lines):
    say(line + '\t\x15\n'); until('END%d' % number)
`;

/** Zsh completes at a terminal alone. What it proposes is taken where every proposal goes: compadd. */
function askZsh(all: readonly string[]): string[][] {
  const inside = [
    `autoload -Uz compinit; compinit -u -D; source ${scriptOf.zsh}`,
    // -O has those that fit what is typed put into an array; _describe and _files ask so themselves too, and then propose.
    `compadd() { if (( \${@[(I)-[OAD]]} )); then builtin compadd "$@"; return; fi; local -a fit; builtin compadd -O fit "$@"; print -rl -- $fit >> ${folder}/proposed; builtin compadd "$@" }`,
    'integer asked=-1',
    `zle-line-init() { if (( asked < 0 )); then print READY; else print END$asked; fi >> ${folder}/proposed; (( asked += 1 )) }`,
    'zle -N zle-line-init',
  ];
  writeFileSync(path.join(folder, 'proposed'), '');
  writeFileSync(path.join(folder, 'inside.zsh'), `${inside.join('\n')}\n`);
  execFileSync('python3', ['-c', TERMINAL, folder, ...all], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TERM: 'dumb', HOME: folder },
  });
  const proposed = readFileSync(path.join(folder, 'proposed'), 'utf8').split('READY\n')[1] ?? '';
  return proposed
    .split(/^END[0-9]+\n/m)
    .slice(0, -1)
    .map(lines);
}

const ASK: Readonly<Record<Shell, (all: readonly string[]) => string[][]>> = {
  bash: (all) => all.map(askBash),
  zsh: askZsh,
  fish: (all) => all.map(askFish),
};

const failures: string[] = [];
try {
  for (const shell of SHELLS) {
    const answers = ASK[shell](CASES.map(([typed]) => typed));
    for (const [at, [typed, expected]] of CASES.entries()) {
      const proposed = [
        ...new Set(
          (answers[at] ?? []).map((each) => (each.startsWith('transfer-of-a-test') ? path.join(folder, each) : each)),
        ),
      ].toSorted();
      if (JSON.stringify(proposed) !== JSON.stringify([...expected].toSorted()))
        failures.push(
          `${shell}: ${JSON.stringify(typed)}\n  proposes ${proposed.join(' ') || 'nothing'}\n  expected ${expected.join(' ')}`,
        );
    }
    console.log(`${shell}: ${CASES.length} command lines`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exitCode = 1;
}
