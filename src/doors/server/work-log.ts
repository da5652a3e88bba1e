import { type SourceTurn, sourceWords } from '../../control/jobs/fetch-source.ts';
import type { CheckWritten } from '../../control/store/check-record.ts';
import type { RunRecord } from '../../control/store/runs.ts';
import type { ServerLog } from '../../run/telemetry/server-log.ts';

/** What the log of a server says about its work: what begins, ends or fails, and nothing that stays as it was. */
export interface WorkLog {
  checked(account: string, written: CheckWritten | null): void;
  ran(run: RunRecord): void;
  fetched(source: string, turn: SourceTurn | undefined): void;
  unsent(channel: string, message: string, retryMs: number | null): void;
}

export function createWorkLog(log: ServerLog): WorkLog {
  return {
    checked(account, written) {
      const { turned } = written ?? {};
      if (turned === undefined) return;
      const { from, to, failure } = turned;
      const isBad = to === 'failing' || to === 'in_doubt';
      // The first checks of thousands of accounts are no news.
      const level = isBad ? 'warn' : from === null ? 'debug' : 'info';
      const why = failure === null ? '' : `: ${failure}`;
      log(level, `the account ${account} is ${to}${why}`, { part: 'check', account, from, to });
    },
    ran({ id, account, plan, state, exitCode, steps }) {
      const fields = { part: 'run', account, run: id, plan, state, exit_code: exitCode, steps };
      log(state === 'done' ? 'info' : 'warn', `the run of ${account} ended: ${state}`, fields);
    },
    fetched(source, turn) {
      if (turn === undefined) return;
      const fields = { part: 'fetch', source };
      if ('problem' in turn) log('warn', sourceWords(source, turn.problem), fields);
      else log('info', `the source ${source} is at commit ${turn.commit}`, fields);
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
