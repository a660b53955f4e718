/** Completion for fish. @module */
import type { CompletedCommand, Value } from './tree.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

function generated(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `-x -a ${quoted(value.words.join(' '))}`;
    case 'file':
      return '-r -F';
    case 'folder':
      return "-x -a '(__fish_complete_directories)'";
    case 'anything':
      return '-x';
  }
}

export function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.slice(1).map(({ path }) => quoted(path.join(' ')));
  const lines = commands.flatMap(({ path, subcommands, options, argument }) => {
    const at = `complete -c txledger -n ${quoted(`__txledger_at "${path.join(' ')}"`)}`;
    return [
      ...subcommands.map(({ name, description }) => `${at} -a ${name} -d ${quoted(description)}`),
      ...(argument === undefined || argument.kind === 'anything'
        ? []
        : [argument.kind === 'words' ? `${at} -a ${quoted(argument.words.join(' '))}` : `${at} -F`]),
      ...options.map(
        ({ name, description, value }) =>
          `${at} -l ${name.slice(2)} -d ${quoted(description)}${value ? ` ${generated(value)}` : ''}`,
      ),
    ];
  });
  return `# Completion of txledger for fish. In ~/.config/fish/config.fish: txledger completion fish | source
function __txledger_at
  set -l command
  for word in (commandline -opc)[2..]
    switch "$command $word"
      case ${paths.map((each) => `${each.slice(0, 1)} ${each.slice(1)}`).join(' ')}
        set command "$command $word"
    end
  end
  test "$command" = (string trim -r -- " $argv[1]")
end
complete -c txledger -f
${lines.join('\n')}
`;
}
