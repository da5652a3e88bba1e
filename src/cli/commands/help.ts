import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { isTopic, topicHelp } from '../program/flag-topics.ts';
import type { Context } from '../shell/context.ts';
import { noSuchCommand } from '../shell/wrong-words.ts';

export function help(context: Context, program: Command, words: readonly string[]): ExitCode {
  const [topic] = words;
  if (words.length === 1 && isTopic(topic)) {
    context.print(topicHelp(program, topic));
    return exitCodes.success;
  }
  let command = program;
  for (const word of words) {
    const found = command.commands.find((each) => each.name() === word);
    if (found === undefined) return context.fail([noSuchCommand(command, word)]);
    command = found;
  }
  command.outputHelp();
  return exitCodes.success;
}
