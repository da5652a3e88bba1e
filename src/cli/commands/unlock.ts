import { printable } from '../../core/lib/printable.ts';
import { type Account, recordOfAccount } from '../../core/model/account.ts';
import { ok, problem, type Result } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { State } from '../../run/state/interface/state.ts';
import { describeHolder, type LockHolder } from '../../run/state/lease/lease-holder.ts';
import { originOfCommand } from '../service/command-origin.ts';
import { accountOf } from '../service/connect-service.ts';
import type { Context } from '../shell/context.ts';

export interface UnlockFlags {
  readonly reason?: string;
}

/** Removes the lock from its holder, and records in the audit log who did it and why. */
export async function unlock(context: Context, { reason }: UnlockFlags): Promise<ExitCode> {
  const origin = await originOfCommand(context, { command: 'unlock', reason });
  if (origin.reason === undefined) return context.fail([needsReason]);
  const account = await accountOf(context);
  if (!account.ok) return context.fail(account.problems);
  context.report(account.problems);
  const state = await context.state.open();
  if (!state.ok) return context.fail(state.problems);
  const found = await state.value.holder(account.value);
  if (!found.ok) return context.fail(found.problems);
  const holder = found.value;
  const note = () =>
    state.value.audit.append(context.io.clock, [
      { kind: 'unlock', origin, what: { account: recordOfAccount(account.value), holder } },
    ]);
  const broken = await breakLock(state.value, account.value, { holder, note });
  if (!broken.ok) return context.fail(broken.problems);
  if (context.settings.format === 'json') context.printJson({ broken: broken.value, holder });
  else if (!broken.value && holder !== null)
    context.print(
      `${printable(`The lock ${describeHolder(holder)} has ended. No other lock was removed.`)}\n`,
    );
  else if (!broken.value) context.print('There is no lock.\n');
  else if (holder === null) context.print('Removed the lock.\n');
  else context.print(`${printable(`Removed the lock ${describeHolder(holder)}.`)}\n`);
  return exitCodes.success;
}

interface BreakParts {
  readonly holder: LockHolder | null;
  readonly note: () => Promise<Result<unknown>>;
}

/**
 * The record comes first: a lock is not removed without one. A lock that can't be read is found only by removing it.
 */
async function breakLock(
  state: State,
  account: Account,
  { holder, note }: BreakParts,
): Promise<Result<boolean>> {
  if (holder !== null) {
    const noted = await note();
    // The lock may have passed to another holder, whom nobody has seen and who is not in the record.
    return noted.ok ? state.unlock(account, holder.epoch) : noted;
  }
  const broken = await state.unlock(account);
  if (!broken.ok || !broken.value) return broken;
  const noted = await note();
  return noted.ok ? ok(true) : noted;
}

const needsReason = problem('usage', 'rampart state unlock needs a reason for the audit log', {
  hint: 'rampart state unlock --reason "the job was cancelled"',
});
