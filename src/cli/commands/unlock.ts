import { printable } from '../../core/lib/printable.ts';
import { type Account, recordOfAccount } from '../../core/model/account.ts';
import { ok, problem, type Result } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import type { State } from '../../run/state/interface/state.ts';
import { describeHolder, type LockHolder } from '../../run/state/lease/lease-holder.ts';
import { printResult } from '../listing/print-listing.ts';
import { originOfCommand } from '../service/command-origin.ts';
import { accountOf } from '../service/connect-service.ts';
import type { Context } from '../shell/context.ts';

/** Removes the lock from its holder, and records in the audit log who did it and why. */
export async function unlock(context: Context, { reason }: { readonly reason?: string }): Promise<ExitCode> {
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
  const text = `${printable(unlockedWords(broken.value, holder))}\n`;
  return printResult(context, { broken: broken.value, holder }, text);
}

function unlockedWords(isBroken: boolean, holder: LockHolder | null): string {
  if (holder === null) return isBroken ? 'Removed the lock.' : 'There is no lock.';
  const lock = `the lock ${describeHolder(holder)}`;
  return isBroken ? `Removed ${lock}.` : `T${lock.slice(1)} has ended. No other lock was removed.`;
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
