import type { Command } from 'commander';
import { nearest } from '../../core/lib/nearest.ts';
import { quoted } from '../../core/lib/quoted.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { commandLineOf, withCommandsBelow } from './command-path.ts';

/** What other programs call a command, and the command here. */
const called: Readonly<Record<string, string>> = {
  ls: 'hosts',
  list: 'hosts',
  devices: 'hosts',
  diff: 'plan',
  preview: 'plan',
  check: 'validate',
  lint: 'validate',
  up: 'apply',
  sync: 'apply',
  deploy: 'apply',
  destroy: 'undo',
  rollback: 'undo',
  revert: 'undo',
  history: 'runs',
  log: 'runs',
  login: 'doctor credentials',
  auth: 'doctor credentials',
  whoami: 'doctor credentials',
  adopt: 'import ids',
  serve: 'server',
  version: '--version',
};

/** The problem of a word that names no command of `parent`. Suggests the commands of that name in its groups first. */
export function noSuchCommand(parent: Command, word: string): Problem {
  const call = commandLineOf(parent);
  const names = parent
    .createHelp()
    .visibleCommands(parent)
    .map((each) => each.name());
  const elsewhere = parent.parent === null ? called[word] : undefined;
  if (elsewhere !== undefined) return unknownCommand(call, word, `did you mean "${call} ${elsewhere}"?`);
  const below = parent.commands.flatMap(withCommandsBelow).filter((each) => each.name() === word);
  const near =
    below.length > 0
      ? below.map(commandLineOf)
      : nearest(word, names)
          .slice(0, 1)
          .map((each) => `${call} ${each}`);
  return unknownCommand(
    call,
    word,
    near.length === 0 ? `see ${call} --help` : `did you mean ${near.map(quoted).join(' or ')}?`,
  );
}

function unknownCommand(call: string, word: string, hint: string): Problem {
  return problem('usage', `there is no command ${quoted(`${call} ${word}`)}`, { hint });
}
