/** Completion for bash, version 3.2 and newer: without associative arrays and without the package bash-completion. @module */
import type { CompletedCommand, Value } from './tree.ts';

/** The words come from this program and contain no space or quote. */
function generated(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$current"))`;
    case 'file':
      return 'compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -f -- "$current"))';
    case 'folder':
      return 'compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -d -- "$current"))';
    case 'anything':
      return 'COMPREPLY=()';
  }
}

const pathOf = ({ path }: CompletedCommand): string => path.join(' ');

export function bashScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.slice(1).map((command) => `'${pathOf(command)}'`);
  const values = commands.flatMap((command) =>
    command.options.flatMap(({ name, value }) =>
      value ? [`    '${pathOf(command)} ${name}') ${generated(value)}; return ;;`] : [],
    ),
  );
  const words = commands.map((command) => {
    const { subcommands, options, argument } = command;
    const free =
      subcommands.length > 0
        ? generated({ kind: 'words', words: subcommands.map(({ name }) => name) })
        : generated(argument ?? { kind: 'anything' });
    const flags = generated({ kind: 'words', words: options.map(({ name }) => name) });
    return `    '${pathOf(command)}') if [[ $current == -* ]]; then ${flags}; else ${free}; fi ;;`;
  });
  return `# Completion of txledger for bash. In ~/.bashrc: source <(txledger completion bash)
# Scopes and addresses have colons in them, and are one word.
COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
_txledger() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= at word
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case "\${command:+$command }$word" in
      ${paths.join(' | ')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command $previous" in
${values.join('\n')}
  esac
  case "$command" in
${words.join('\n')}
  esac
}
complete -F _txledger txledger
`;
}
