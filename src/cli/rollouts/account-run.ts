import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { AccountEnd } from '../../accounts/rollouts/account-end.ts';
import { defined } from '../../core/lib/defined.ts';
import { operatorProblems } from '../../core/plan/guards/operator.ts';
import { isTimeProblem, timeProblems } from '../../core/plan/guards/time-problems.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { plainColor } from '../../output/review/color.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { contextOf } from '../accounts/account-context.ts';
import { undo } from '../commands/undo.ts';
import { type CarryOutFlags, carryOut } from '../running/carry-out.ts';
import type { Context } from '../shell/context.ts';
import { createRunEventHub } from '../shell/event-hub.ts';
import type { Stream } from '../shell/io.ts';
import type { AccountRunFlags } from './rollout-flags.ts';
import { savedPlan } from './saved-plan.ts';

export interface AccountRunParts {
  readonly context: Context;
  readonly account: AccountConfig;
  /** Asks the run to stop at a safe point. */
  readonly halt: AbortSignal;
  /** The user's approval for this account, which was given for the whole rollout. */
  readonly answer?: string;
  /** Gets each event of the run as one line of JSON. */
  readonly onLine: (line: string) => void;
}

/** Applies the saved plan of one account under its own lock, as `rampart apply plan.json` does. */
export async function applyAccountPlan(
  parts: AccountRunParts,
  plan: Plan,
  flags: AccountRunFlags,
): Promise<AccountEnd> {
  const { context } = parts;
  const now = new Date(context.io.clock.now()).toISOString();
  const [closed] = [...timeProblems(plan, now), ...operatorProblems(plan, parts.account, now)].filter(
    isTimeProblem,
  );
  if (closed !== undefined)
    return {
      exitCode: exitCodes.refused,
      stops: 'closed-window',
      why: [closed.message, ...(closed.hint === undefined ? [] : [closed.hint])].join('; '),
    };
  return runQuietly(parts, (own) =>
    carryOut(
      own,
      { ...flags, command: 'apply', autoApprove: true, plannedTicket: plan.ticket },
      savedPlan(own, plan),
    ),
  );
}

/** Undoes one run of an account. */
export async function undoAccount(
  parts: AccountRunParts,
  runId: string,
  flags: AccountRunFlags & Pick<CarryOutFlags, 'autoApprove'>,
): Promise<AccountEnd> {
  return runQuietly(parts, (own) => undo(own, flags, runId));
}

/** Runs a command for an account without output of its own. The first error says why it failed. */
async function runQuietly(
  { context, account, halt, answer, onLine }: AccountRunParts,
  command: (own: Context) => Promise<ExitCode>,
): Promise<AccountEnd> {
  const events = createRunEventHub();
  let runId: string | undefined;
  let why: string | undefined;
  let spent: string | undefined;
  let hasFailed = false;
  events.listen((event) => {
    if (event.type === 'run_start') ({ runId } = event);
    if (event.type === 'diagnostic' && event.problem.severity === 'error') {
      why ??= event.problem.message;
      if (event.problem.code === 'budget-spent') spent ??= event.problem.message;
      else hasFailed = true;
    }
    context.events.emit(event);
  });
  const settings = {
    ...context.settings,
    format: 'json' as const,
    quiet: true,
    outColor: plainColor,
    errColor: plainColor,
  };
  const own = contextOf({ ...context, events, settings }, account, {
    stdout: lineStream(onLine),
    stderr: lineStream(() => {}),
    prompt: async () => answer ?? null,
    onInterrupt(handler) {
      if (halt.aborted) handler();
      halt.addEventListener('abort', handler, { once: true });
      return () => halt.removeEventListener('abort', handler);
    },
  });
  try {
    const exitCode = await command(own);
    const end = { exitCode, ...defined({ runId }) };
    if (spent !== undefined && !hasFailed && exitCode === exitCodes.incomplete)
      return { ...end, stops: 'budget-spent', why: spent };
    return why === undefined || exitCode === 0 ? end : { ...end, why: context.redaction.redact(why) };
  } catch (error) {
    const { unforeseen } = await import('../../accounts/engine/unforeseen.ts');
    return { exitCode: exitCodes.error, why: context.redaction.redact(unforeseen(error).message) };
  } finally {
    await own.state.close();
  }
}

/** A stream that is read line by line. */
function lineStream(onLine: (line: string) => void): Stream {
  let rest = '';
  return {
    isTerminal: false,
    columns: null,
    write(text) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') onLine(line);
    },
  };
}
