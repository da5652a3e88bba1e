import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { candidates, typedWords } from '../completion/candidates.ts';
import { knownNames } from '../completion/known-names.ts';
import { type Shell, shellScripts } from '../completion/shell-scripts.ts';
import type { Context } from '../shell/context.ts';

/** The script that enables a shell to complete commands, flags, hosts and groups. */
export async function completion(context: Context, _flags: unknown, shell: Shell): Promise<ExitCode> {
  if (context.settings.format === 'json') context.printJson({ shell, script: shellScripts[shell] });
  else context.printExactly(shellScripts[shell]);
  return exitCodes.success;
}

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
