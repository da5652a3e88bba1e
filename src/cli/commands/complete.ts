import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { candidates } from '../completion/candidates.ts';
import { knownNames } from '../completion/known-names.ts';
import { typedWords } from '../completion/typed-words.ts';
import type { Context } from '../shell/context.ts';

/**
 * The protocol of the shell scripts: a first line with `words` or `files`, then one word per line for the last typed
 * word. Nothing is sent.
 */
export async function complete(
  context: Context,
  program: Command,
  words: readonly string[],
): Promise<ExitCode> {
  const typed = typedWords(words);
  const found = await candidates(program, typed, () => knownNames(context, typed));
  context.print(`${found.kind}\n`);
  if (found.kind === 'words') context.printExactly(found.words.map((each) => `${each}\n`).join(''));
  return exitCodes.success;
}
