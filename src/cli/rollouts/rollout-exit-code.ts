import { type ExitCode, exitCodes, exitOverAccounts } from '../../run/apply/exit-code.ts';
import type { Rollout } from '../../run/state/rollout/rollout.ts';

/**
 * The exit code of a rollout: of the codes of its accounts and of the reason why it stopped, the one that the user must
 * deal with first. Accounts that were not started make it incomplete.
 */
export function exitForRollout(rollout: Rollout, stop: string | null = rollout.stop?.kind ?? null): ExitCode {
  const codes: number[] = [];
  for (const { status, exitCode } of rollout.accounts.values()) {
    if (status === 'failed' || status === 'undo-failed') codes.push(exitCode ?? exitCodes.error);
    if (status === 'pending' || status === 'running') codes.push(exitCodes.incomplete);
  }
  if (stop === 'signal') codes.push(exitCodes.interrupted);
  if (stop === 'closed-window') codes.push(exitCodes.refused);
  if (stop === 'unverified') codes.push(exitCodes.unverified);
  if (stop === 'state') codes.push(exitCodes.error);
  // Accounts that an aborted or undone rollout never started need no further work.
  const isOver = rollout.state === 'undone';
  return exitOverAccounts(isOver ? codes.filter((each) => each !== exitCodes.incomplete) : codes);
}
