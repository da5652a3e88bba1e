import { accountLine, paintRollout, toRolloutDocument } from '../../accounts/rollouts/rollout-document.ts';
import type { RolloutProgress } from '../../accounts/rollouts/run-rollout.ts';
import type { AccountUndone } from '../../accounts/rollouts/undo-rollout.ts';
import { jsonText, printable } from '../../core/lib/printable.ts';
import { createTimeStamps } from '../../core/lib/time-stamps.ts';
import { count } from '../../core/lib/words.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { type ExitCode, exitWithoutRecord } from '../../run/apply/exit-code.ts';
import type { Rollout } from '../../run/state/rollout/rollout.ts';
import type { RolloutHead } from '../../run/state/rollout/rollout-record.ts';
import { type Context, writeWhole } from '../shell/context.ts';
import { exitForRollout } from './rollout-exit-code.ts';

/** Shows the progress of a rollout: a line per account on stderr, or events on stdout with `--json`. */
export interface RolloutReporter {
  start(): void;
  progress(event: RolloutProgress | AccountUndone): void;
  /** An event of the run of one account, as a line of JSON. */
  line(account: string, line: string): void;
  /**
   * Also writes the last event to the file of --summary-out. `unwritten` says why a record could not be written. Returns
   * the exit code, which depends on both.
   */
  end(rollout: Rollout, exitCode: ExitCode, unwritten: readonly Problem[]): Promise<ExitCode>;
}

type AccountEnded = Extract<RolloutProgress, { type: 'account-ended' }> | AccountUndone;

/** `finished` is the number of accounts that an earlier process finished. */
export function createRolloutReporter(
  context: Context,
  head: RolloutHead,
  { summaryOut, finished = 0 }: { readonly summaryOut?: string | undefined; readonly finished?: number } = {},
): RolloutReporter {
  const stamp = createTimeStamps();
  const isJson = context.settings.format === 'json';
  const event = (document: object) => {
    const at = stamp(context.io.clock.now());
    context.printExactly(`${jsonText({ ...document, at })}\n`);
  };
  const total = head.accounts.length;
  const width = Math.max(0, ...head.accounts.map(({ account }) => account.length));
  let done = finished;
  const log = (line: string) => context.log(printable(line));
  const ended = ({ type, account, status, exit_code: exitCode, ...details }: AccountEnded) => {
    done += 1;
    const { run_id: runId = null, why = null } = details;
    const how = type === 'account-ended' ? 'account_end' : 'account_undone';
    if (isJson) return event({ type: how, account, exit_code: exitCode, run_id: runId, why });
    log(`[${done}/${total}] ${accountLine({ name: account, status, exitCode, runId, why }, width)}`);
  };
  return {
    start() {
      if (isJson)
        event({
          type: 'rollout_start',
          format_version: '1.0',
          rollout_id: head.rollout_id,
          index_checksum: head.index_checksum,
          waves: head.waves.map(({ name, accounts }) => ({ name, accounts: accounts.length })),
        });
      else
        log(`Rollout ${head.rollout_id}: ${count(total, 'account')} in ${count(head.waves.length, 'wave')}.`);
    },
    progress(given) {
      if (given.type === 'account-ended' || given.type === 'account-undone') return ended(given);
      if (given.type === 'stopping') {
        const { kind, why } = given.stop;
        if (isJson) event({ type: 'rollout_stopping', reason: kind, why });
        else log(`Stopping: ${why}. Accounts that are running finish first.`);
        return;
      }
      const { name = '', accounts = [] } = head.waves[given.wave] ?? {};
      if (given.type === 'wave-started') {
        if (isJson) event({ type: 'wave_start', wave: name, accounts: accounts.length });
        else log(`Wave ${name}: ${count(accounts.length, 'account')}.`);
      } else if (given.type === 'pause') {
        if (isJson) event({ type: 'wave_pause', wave: name, ms: given.ms });
        else log(`Waiting ${durationWords(given.ms)} before wave ${name}.`);
      } else if (isJson) event({ type: 'account_start', account: given.account, wave: name });
    },
    line(account, line) {
      if (!isJson) return;
      const inner = JSON.parse(line) as object;
      if ('type' in inner) context.printExactly(`${jsonText({ account, ...inner })}\n`);
    },
    async end(rollout, given, unwritten) {
      const documentOf = (code: ExitCode, problems: readonly Problem[]) => ({
        type: 'rollout_end',
        ...toRolloutDocument(rollout, code),
        recorded: problems.length === 0,
      });
      let problems = unwritten;
      let exitCode = exitWithoutRecord(given, problems);
      if (summaryOut !== undefined) {
        const text = `${jsonText(documentOf(exitCode, problems), 2)}\n`;
        const written = await writeWhole(context.path(summaryOut), summaryOut, text);
        problems = [...problems, ...written.problems];
        exitCode = exitWithoutRecord(exitCode, problems);
      }
      context.report(problems);
      if (isJson) event(documentOf(exitCode, problems));
      else context.print(paintRollout(rollout));
      return exitCode;
    },
  };
}

/** Shows a rollout in which nothing is applied now, with the same summary as any other. */
export async function reportWithoutRun(
  context: Context,
  rollout: Rollout,
  why: string,
  summaryOut: string | undefined,
): Promise<ExitCode> {
  const reporter = createRolloutReporter(context, rollout.head, { summaryOut });
  context.log(why);
  if (context.settings.format === 'json') reporter.start();
  return reporter.end(rollout, exitForRollout(rollout), []);
}
