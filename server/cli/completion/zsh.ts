/** Completion for zsh: a function for \`compdef\`, which shows descriptions too. @module */
import type { CompletedCommand, Value } from './tree.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** In the lists of _describe a colon ends the word. */
const described = (word: string, description: string): string =>
  quoted(`${word.replaceAll(':', String.raw`\:`)}:${description}`);

function generated(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `compadd -- ${value.words.join(' ')}`;
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'anything':
      return ':';
  }
}

const pathOf = ({ path }: CompletedCommand): string => path.join(' ');

export function zshScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.slice(1).map((command) => quoted(pathOf(command)));
  const values = commands.flatMap((command) =>
    command.options.flatMap(({ name, value }) =>
      value ? [`    ${quoted(`${pathOf(command)} ${name}`)}) ${generated(value)}; return ;;`] : [],
    ),
  );
  const words = commands.map((command) => {
    const { subcommands, options, argument } = command;
    const lists = [
      `      options=(${options.map(({ name, description }) => described(name, description)).join(' ')})`,
      ...(subcommands.length > 0
        ? [`      commands=(${subcommands.map(({ name, description }) => described(name, description)).join(' ')})`]
        : []),
    ];
    const free = subcommands.length > 0 ? '_describe command commands' : generated(argument ?? { kind: 'anything' });
    return [
      `    ${quoted(pathOf(command))})`,
      ...lists,
      `      if [[ $current == -* ]]; then _describe option options; else ${free}; fi ;;`,
    ].join('\n');
  });
  return `#compdef txledger
# Completion of txledger for zsh. In ~/.zshrc, behind compinit: source <(txledger completion zsh)
_txledger() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]} command= at word
  local -a options commands
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
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
# As a file of fpath this is the function itself; sourced, it says what it is for.
if [[ $funcstack[1] == _txledger ]]; then _txledger "$@"; else compdef _txledger txledger; fi
`;
}
