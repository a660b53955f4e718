/** `txledger completion`: a script by which a shell completes command lines without running anything. @module */
import { Argument, type Command } from 'commander';
import { completionOf, type Shell, SHELLS } from '../completion/index.ts';
import { withExamples } from '../examples.ts';
import { runCommand } from '../failure.ts';
import { print, withJson } from '../output.ts';

function completion(shell: Shell, program: Command): void {
  const script = completionOf(shell, program);
  print({ shell, script }, script.split('\n').slice(0, -1));
}

export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('print what completes commands, options and their values: source it where the shell starts')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => runCommand(() => completion(shell, program)));
  withExamples(
    withJson(command),
    'txledger completion bash > txledger.bash',
    'txledger completion zsh > _txledger',
    'txledger completion fish > txledger.fish',
  );
}
