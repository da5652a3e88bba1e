import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { type Shell, shellScripts } from '../completion/shell-scripts.ts';
import type { Context } from '../shell/context.ts';

/** The script that enables a shell to complete commands, flags, hosts and groups. */
export function completion(context: Context, shell: Shell): ExitCode {
  if (context.settings.format === 'json') context.printJson({ shell, script: shellScripts[shell] });
  else context.printExactly(shellScripts[shell]);
  return exitCodes.success;
}
