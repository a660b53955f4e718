/**
 * `node test/completion/run.ts`: completes command lines in the real bash, zsh and fish, as a person does at a terminal where a shell knows no other way.
 *
 * What each script proposes is compared with the commands themselves; a shell that is not installed is a failure.
 *
 * @module
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
const names = (command: { commands: readonly { name(): string }[] }): string[] => command.commands.map((each) => each.name()).filter((name) => name !== 'help');
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
  const asked = execFileSync('fish', ['--no-config', '-c', `source '${scriptOf.fish}'; complete -C '${typed}'`], { encoding: 'utf8' });
  return lines(asked).map((line) => line.split('\t')[0] as string);
}

/** Zsh completes at a terminal alone: its own zpty module is one. What is proposed is taken where every proposal goes, compadd. */
function askZsh(typed: string): string[] {
  const inside = [
    `autoload -Uz compinit; compinit -u -D; source ${scriptOf.zsh}`,
    // Every proposal, matched as zsh does it (-O leaves those that fit in an array).
    `compadd() { if [[ \${@[(I)-[OAD]]} -gt 0 ]]; then builtin compadd "$@"; return; fi; local -a fit; builtin compadd -O fit "$@"; print -rl -- $fit >> ${folder}/proposed; builtin compadd "$@" }`,
    `TRAPEXIT() { : }; PS1=; print READY`,
  ].join('; ');
  writeFileSync(path.join(folder, 'proposed'), '');
  writeFileSync(path.join(folder, 'inside.zsh'), inside);
  const outside = `zmodload zsh/zpty; zpty inner zsh -f -i
    zpty -w inner 'source ${folder}/inside.zsh'; zpty -r inner answer '*READY*READY*' || zpty -r inner answer '*READY*'
    zpty -w -n inner '${typed}'$'\\t'
    zpty -w -n inner $'\\x15'; zpty -w inner 'print DO''NE'; zpty -r inner answer '*DONE*'; zpty -d inner`;
  execFileSync('zsh', ['-f', '-c', outside], { encoding: 'utf8', timeout: 30_000, env: { ...process.env, TERM: 'dumb', HOME: folder } });
  return lines(execFileSync('cat', [path.join(folder, 'proposed')], { encoding: 'utf8' }));
}

const ASK: Readonly<Record<Shell, (typed: string) => string[]>> = { bash: askBash, zsh: askZsh, fish: askFish };

const failures: string[] = [];
try {
  for (const shell of SHELLS) {
    for (const [typed, expected] of CASES) {
      const proposed = [...new Set(ASK[shell](typed).map((each) => (each.startsWith('transfer-of-a-test') ? path.join(folder, each) : each)))].toSorted();
      if (JSON.stringify(proposed) !== JSON.stringify([...expected].toSorted())) failures.push(`${shell}: ${JSON.stringify(typed)}\n  proposes ${proposed.join(' ') || 'nothing'}\n  expected ${expected.join(' ')}`);
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
