import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { RolloutAccount } from '../../run/state/rollout/rollout.ts';
import { type AccountEnd, endEvent, interruptedCode, type RolloutRun } from './run-rollout.ts';

/** Takes back the accounts of a rollout, the last wave first. */
export interface RolloutUndo extends Omit<RolloutRun, 'apply' | 'onEvent'> {
  /** Null if the account has no run to undo. */
  readonly undo: (account: RolloutAccount, halt: AbortSignal) => Promise<AccountEnd | null>;
  readonly onEvent: (account: string, end: AccountEnd) => void;
}

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
        if (end === null || (end.kind === 'ended' && end.exitCode === interruptedCode)) continue;
        const { type: _, status, ...rest } = endEvent(name, end, at());
        const undone = {
          ...rest,
          type: 'account-undone',
          status: status === 'done' ? 'undone' : 'failed',
        } as const;
        const noted = await record.note([undone]);
        if (!noted.ok) return noted;
        onEvent(name, end);
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
