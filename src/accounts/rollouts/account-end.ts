import { defined } from '../../core/lib/defined.ts';
import { exitCodes } from '../../run/apply/exit-code.ts';

interface RunEnd {
  readonly exitCode: number;
  readonly runId?: string;
  readonly why?: string;
}

/**
 * How the run of one account ended. `stops`: its change window is closed, or the calls or the time of the rollout are
 * used up. Then the rollout stops, and a continuation applies the account again.
 */
export type AccountEnd =
  | (RunEnd & { readonly stops?: never })
  | (RunEnd & { readonly why: string; readonly stops: 'closed-window' | 'budget-spent' });

/** The event that records how an account ended. */
export function endEvent(account: string, { exitCode, runId, why, stops }: AccountEnd, at: string) {
  const isPending = stops !== undefined || exitCode === exitCodes.interrupted;
  const status = isPending ? 'pending' : exitCode === exitCodes.success ? 'done' : 'failed';
  const details = defined({ run_id: runId, why });
  return { type: 'account-ended', at, account, status, exit_code: exitCode, ...details } as const;
}
