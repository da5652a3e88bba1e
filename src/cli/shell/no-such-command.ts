import type { Command } from 'commander';
import { nearest } from '../../core/lib/nearest.ts';
import { quoted } from '../../core/lib/quoted.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { callOf, withCommandsBelow } from './command-path.ts';

/** The problem of a word that names no command of `parent`. Suggests the commands of that name in its groups first. */
export function noSuchCommand(parent: Command, word: string): Problem {
  const call = callOf(parent);
  const names = parent
    .createHelp()
    .visibleCommands(parent)
    .map((each) => each.name());
  const below = parent.commands.flatMap(withCommandsBelow).filter((each) => each.name() === word);
  const near =
    below.length > 0
      ? below.map(callOf)
      : nearest(word, names)
          .slice(0, 1)
          .map((each) => `${call} ${each}`);
  return problem('usage', `there is no command ${quoted(`${call} ${word}`)}`, {
    hint: near.length === 0 ? `see ${call} --help` : `did you mean ${near.map(quoted).join(' or ')}?`,
  });
}
