import type { Clock } from '../../core/lib/surroundings.ts';
import { type Account, accountOfRecord } from '../../core/model/account.ts';
import type { Observed } from '../../core/model/observed.ts';
import { underOperator } from '../../core/plan/guards/operator.ts';
import { makePlan } from '../../core/plan/make-plan.ts';
import type { Acks, Plan } from '../../core/plan/types/plan.ts';
import { undoDesired } from '../../core/plan/undo/undo-desired.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { RecordedRun, State } from '../../run/state/interface/state.ts';
import { hostHistories } from '../../run/state/journal/host-histories.ts';
import { type Replay, replay } from '../../run/state/journal/replay.ts';
import { digestOf, fleetSizeAfter } from '../../run/state/journal/run-digest.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { Connection } from './connection.ts';

export interface UndoParts {
  readonly state: State;
  readonly clock: Clock;
  /** The settings of the account, with the limits of the operator; absent if the environment names the account. */
  readonly operator?: AccountConfig | undefined;
  readonly acks?: Acks | undefined;
}

export interface UndoPlan {
  readonly plan: Plan;
  readonly observed: Observed;
  readonly replan: (observed: Observed) => Plan;
}

/**
 * Plans the reversal of a run from its journal; without an id, of the latest run of the account. A run that several
 * workers continued has a journal for each, oldest first.
 */
export async function planUndoOfRun(
  { account, reader }: Connection,
  given: readonly string[],
  { state, clock, operator, acks = {} }: UndoParts,
): Promise<Result<UndoPlan>> {
  const latest = given.length === 0 ? await latestRun(state, account) : ok(given);
  if (!latest.ok) return latest;
  const runs: RecordedRun[] = [];
  for (const runId of latest.value) {
    const run = await state.readRun(runId);
    if (!run.ok) return run;
    const { companyId, service } = accountOfRecord(run.value.head.account);
    if (companyId === account.companyId && service !== account.service) {
      return failed(
        problem(
          'other-account',
          `run ${runId} changed the fleet at ${service}, but the account is now at ${account.service}`,
          {
            hint: 'ask for the earlier names and groups in the desired state, or give the account its earlier address',
          },
        ),
      );
    }
    if (companyId !== account.companyId) {
      return failed(
        problem('other-account', `run ${runId} belongs to another account`, {
          hint: 'list the runs with: rampart runs',
        }),
      );
    }
    runs.push(run.value);
  }
  const read = await reader.read({ antivirus: false });
  if (!read.ok) return read;
  const replays = runs.map(replay);
  const last = replays.at(-1) as Replay;
  const histories = hostHistories({ ...last, steps: replays.flatMap(({ steps }) => steps) });
  const { desired, problems } = undoDesired(last.runId, histories, read.value);
  const planOn = (observed: Observed): Plan => {
    const now = new Date(clock.now()).toISOString();
    const lastFleetSize = fleetSizeAfter(digestOf(runs.at(-1) as RecordedRun));
    const held = operator === undefined ? desired : underOperator(desired, operator, observed.count);
    const plan = makePlan({ desired: held, observed, account, now, acks, lastFleetSize });
    return { ...plan, problems: [...problems, ...plan.problems] };
  };
  return ok({ plan: planOn(read.value), observed: read.value, replan: planOn });
}

async function latestRun(state: State, account: Account): Promise<Result<readonly string[]>> {
  const runs = await state.listRuns({ account });
  if (!runs.ok) return runs;
  const latest = runs.value.find(({ head, lastAt, exitCode }) => exitCode !== null || lastAt !== head.at);
  if (latest !== undefined) return ok([latest.head.run_id]);
  return failed(
    problem('usage', 'this account has no run to undo', {
      hint: 'list the runs with: rampart runs; see also --state-dir',
    }),
  );
}
