import { printable } from '../../../core/lib/printable.ts';
import { describeHolder } from '../../../run/state/lease/lease-holder.ts';
import { accountOf } from '../service/connect-service.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

export async function unlock(context: Context): Promise<ExitCode> {
  const account = await accountOf(context);
  if (!account.ok) return context.fail(account.problems);
  context.report(account.problems);
  const state = await context.state.open();
  if (!state.ok) return context.fail(state.problems);
  const found = await state.value.holder(account.value);
  if (!found.ok) return context.fail(found.problems);
  const holder = found.value ?? undefined;
  const result = await state.value.unlock(account.value);
  if (!result.ok) return context.fail(result.problems);
  const broken = result.value;
  if (context.settings.format === 'json') context.printJson({ broken, holder: holder ?? null });
  else if (!broken) context.print('There is no lock.\n');
  else if (holder === undefined) context.print('Removed the lock.\n');
  else context.print(`${printable(`Removed the lock ${describeHolder(holder)}.`)}\n`);
  return exitCodes.success;
}
