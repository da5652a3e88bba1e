import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { exitCodes } from '../../run/apply/exit-code.ts';
import type { RolloutAccount } from '../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../run/state/rollout/rollout-record.ts';
import { type AccountEnd, endEvent } from './account-end.ts';
import type { RolloutRun } from './run-rollout.ts';

/** Takes back the accounts of a rollout, the last wave first. */
export interface RolloutUndo extends Omit<RolloutRun, 'apply' | 'onEvent'> {
  /** Null if the account has no run to undo. */
  readonly undo: (account: RolloutAccount, halt: AbortSignal) => Promise<AccountEnd | null>;
  readonly onEvent: (event: AccountUndone) => void;
}

export type AccountUndone = Extract<RolloutEvent, { type: 'account-undone' }>;

/** A failed account does not stop the others. The value is true if every account was visited. */
export async function undoRollout({
  record,
  lease,
  clock,
  stop,
  undo,
  onEvent,
}: RolloutUndo): Promise<Result<boolean>> {
  const halt = AbortSignal.any([stop, lease.lost]);
  const at = () => new Date(clock.now()).toISOString();
  const { head } = record.current();
  for (const { accounts } of head.waves.toReversed()) {
    const left = accounts.toReversed();
    const worker = async (): Promise<Result<null>> => {
      for (;;) {
        const name = halt.aborted ? undefined : left.shift();
        const account = name === undefined ? undefined : record.current().accounts.get(name);
        if (name === undefined || account === undefined) return ok(null);
        if (account.status === 'undone') continue;
        const end = await undo(account, halt);
        if (end === null || end.exitCode === exitCodes.interrupted) continue;
        const ended = endEvent(name, end, at());
        const status = ended.status === 'done' ? 'undone' : 'failed';
        const undone: AccountUndone = { ...ended, type: 'account-undone', status };
        const noted = await record.note([undone]);
        if (!noted.ok) return noted;
        onEvent(undone);
      }
    };
    const workers = await Promise.all(Array.from({ length: head.parallel }, worker));
    const broken = workers.find((each) => !each.ok);
    if (broken !== undefined && !broken.ok) return failed(...broken.problems);
  }
  if (halt.aborted) return ok(false);
  const noted = await record.note([{ type: 'undo-ended', at: at() }]);
  return noted.ok ? ok(true) : noted;
}
