import type { Command } from 'commander';
import { nearest } from '../../core/lib/nearest.ts';
import { quoted } from '../../core/lib/quoted.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { callOf } from './command-path.ts';

/** The problem of a word that names no command below `parent`. */
export function noSuchCommand(parent: Command, word: string): Problem {
  const call = callOf(parent);
  const names = parent
    .createHelp()
    .visibleCommands(parent)
    .map((each) => each.name());
  const [near] = nearest(word, names);
  return problem('usage', `there is no command ${quoted(`${call} ${word}`)}`, {
    hint: near === undefined ? `see ${call} --help` : `did you mean "${call} ${near}"?`,
  });
}
