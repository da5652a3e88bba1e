import type { ServerLog } from '../../run/telemetry/server-log.ts';
import type { CheckWritten } from '../accounts/records/check-record.ts';
import { type ServerRun, unprovenOf } from '../runs/records/runs.ts';
import { type SourceChange, sourceWords } from '../sources/rules/fetch-source.ts';

/** The log of a server about its work: it reports starts, ends and failures, and nothing that is unchanged. */
export interface WorkLog {
  checked(account: string, written: CheckWritten | null): void;
  ran(run: ServerRun): void;
  fetched(source: string, change: SourceChange | undefined): void;
  unsent(channel: string, message: string, retryMs: number | null): void;
}

export function createWorkLog(log: ServerLog): WorkLog {
  return {
    checked(account, written) {
      const { healthChange } = written ?? {};
      if (healthChange === undefined) return;
      const { from, to, failure } = healthChange;
      const isBad = to === 'failing' || to === 'in_doubt';
      // After a start, thousands of accounts get their first check, which would fill the log.
      const level = isBad ? 'warn' : from === null ? 'debug' : 'info';
      const why = failure === null ? '' : `: ${failure}`;
      log(level, `the account ${account} is ${words(to)}${why}`, { part: 'check', account, from, to });
    },
    ran(run) {
      const { id, account, plan, state, exitCode, steps } = run;
      const fields = {
        part: 'run',
        account,
        run: id,
        plan,
        state,
        exit_code: exitCode,
        steps,
        ...unprovenOf(run),
      };
      log(state === 'done' ? 'info' : 'warn', `the run of ${account} ended: ${words(state)}`, fields);
    },
    fetched(source, change) {
      if (change === undefined) return;
      const fields = { part: 'fetch', source };
      if ('problem' in change) log('warn', sourceWords(source, change.problem), fields);
      else log('info', `the source ${source} is at commit ${change.commit}`, fields);
    },
    unsent(channel, message, retryMs) {
      const after = retryMs === null ? null : Math.ceil(retryMs / 1000);
      log(after === null ? 'error' : 'warn', `a message was not sent: ${message}`, {
        part: 'notify',
        channel,
        retry_after_s: after,
      });
    },
  };
}

/** `in_doubt` is `in doubt`. */
function words(state: string): string {
  return state.replace('_', ' ');
}
