import { printable } from '../../../core/lib/printable.ts';
import { breakLock, readLock } from '../../../run/state/lock.ts';
import { describeHolder } from '../../../run/state/lock-holder.ts';
import { accountOf } from '../service/connect-service.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

export async function unlock(context: Context): Promise<ExitCode> {
  const account = await accountOf(context);
  if (!account.ok) return context.fail(account.problems);
  context.report(account.problems);
  const stateDir = context.path(context.settings.stateDir);
  const holder = await readLock(stateDir, account.value);
  const result = await breakLock(stateDir, account.value);
  if (!result.ok) return context.fail(result.problems);
  const broken = result.value;
  if (context.settings.format === 'json') context.printJson({ broken, holder: holder ?? null });
  else if (!broken) context.print('There is no lock.\n');
  else if (holder === undefined) context.print('Removed the lock.\n');
  else context.print(`${printable(`Removed the lock ${describeHolder(holder)}.`)}\n`);
  return exitCodes.success;
}
