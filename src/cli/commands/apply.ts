import { isPlansPath } from '../../accounts/plans/plans-index.ts';
import type { Observed } from '../../core/model/observed.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { acknowledge } from '../../core/plan/guards/guard.ts';
import { predict } from '../../core/plan/ordering/predict.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { isSelecting } from '../accounts/selected-accounts.ts';
import { createCommandPlanner, readLiveFleet } from '../planning/planning.ts';
import { loadPlan, savePlan } from '../planning/print-review.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import { planAgeProblem } from '../rollouts/plan-age.ts';
import type { ApplyFlags, ApplyManyFlags } from '../rollouts/rollout-flags.ts';
import { savedPlan } from '../rollouts/saved-plan.ts';
import { carryOut, type PlanSource, readOnlyProblem } from '../running/carry-out.ts';
import type { Context } from '../shell/context.ts';
import { checkPlanFile, signedWords } from '../trust/plan-signatures.ts';

/** Applies a plan file, which counts as approved, or plans a desired state and asks for approval. */
export async function apply(context: Context, flags: ApplyManyFlags, file?: string): Promise<ExitCode> {
  const misuse = checkUse(flags, file);
  if (misuse !== undefined) return context.fail([misuse]);
  const { reviewed, ...others } = flags;
  if (reviewed === undefined) return applyChecked(context, others, file);
  const { reviewedOnForge } = await import('../pipelines/reviewed-on-forge.ts');
  const plan = await reviewedOnForge(context, reviewed === true ? 'default' : reviewed);
  if (!plan.ok) return context.fail(plan.problems);
  const { checksum, changes } = plan.value;
  return applyChecked(context, { ...others, checksum, ...(changes === undefined ? {} : { changes }) }, file);
}

async function applyChecked(context: Context, flags: ApplyManyFlags, file?: string): Promise<ExitCode> {
  if (flags.requireSignature !== undefined) context.signed.require();
  if (file !== undefined && (await isPlansPath(context.path(file)))) {
    if (isSelecting(context.settings)) return context.fail([selectedByPlan(file)]);
    const { applyPlans } = await import('../rollouts/apply-accounts.ts');
    return applyPlans(context, flags, file);
  }
  if (flags.continue === true) return context.fail([needsFolder(file)]);
  const several = severalAccounts(context, flags);
  if (several !== undefined) {
    if (file !== undefined) return context.fail([oneAccount(file)]);
    if (flags.checksum !== undefined) return context.fail([unsavedIndex]);
    const { applySelected } = await import('../rollouts/apply-accounts.ts');
    return applySelected(context, flags, several);
  }
  if (hasWaves(flags)) return context.fail([needsSeveral]);
  const readOnly = readOnlyProblem(context);
  if (readOnly !== undefined) return context.fail([readOnly]);
  const command = 'apply';
  if (file === undefined) {
    const source = await fromDesired(flags, context);
    return source.ok ? carryOut(context, { ...flags, command }, source.value) : context.fail(source.problems);
  }
  const plan = await fromFile(file, flags, context);
  if (!plan.ok) return context.fail(plan.problems);
  const plannedTicket = plan.value.ticket;
  return carryOut(context, { ...flags, command, plannedTicket }, savedPlan(context, plan.value, flags));
}

function oneAccount(file: string): Problem {
  return problem('usage', `${file} is the plan of one account, but --accounts can select several`, {
    hint: 'leave out --accounts, or pass a folder of plans',
  });
}

function selectedByPlan(folder: string): Problem {
  return problem('usage', `${folder} holds plans of several accounts, which are applied together`, {
    hint: 'leave out --account, --accounts and --changed-since, or plan the accounts that you select again',
  });
}

/** An index contains the time at which it was made, so an index of new plans never has the reviewed checksum. */
const unsavedIndex = problem('usage', '--checksum is for saved plans if several accounts may be selected', {
  hint: 'save the plans with rampart plan --accounts … --out plans/, then run rampart apply plans/ --checksum …',
});

function needsFolder(file: string | undefined): Problem {
  const found = file === undefined ? '' : `, and there is none at ${file}`;
  return problem('usage', `--continue is for a folder of plans${found}`, {
    hint: 'pass the folder that rampart plan --out wrote, or use rampart rollout continue',
  });
}

/** The accounts of a rollout on the spot; undefined for one account. Flags of rollouts make one over that account. */
function severalAccounts({ account, accounts }: Context, flags: ApplyManyFlags) {
  return account !== undefined && hasWaves(flags) ? [account] : accounts;
}

function hasWaves({
  accountAcks = [],
  waves,
  canaryAccounts,
  maxFailed,
  waveLabel,
  wavePause,
}: ApplyManyFlags) {
  return (
    accountAcks.some(({ account }) => account !== undefined) ||
    [waves, canaryAccounts, maxFailed, waveLabel, wavePause].some((each) => each !== undefined)
  );
}

const needsSeveral = problem(
  'usage',
  '--waves, --canary-accounts, --wave-label, --wave-pause, --max-failed and --ack ACCOUNT:KIND=COUNT are for several accounts',
  { hint: 'select accounts with --accounts, or pass a folder of plans' },
);

function checkUse(flags: ApplyFlags, file: string | undefined) {
  if (flags.reviewed !== undefined && flags.checksum !== undefined) {
    return problem('usage', "--reviewed and --checksum can't be combined", {
      hint: 'pass the checksum of the plan that you have reviewed, or let --reviewed find it',
    });
  }
  if (file !== undefined && flags.file !== undefined) {
    return problem('usage', "a plan file and -f can't be combined", {
      hint: 'pass either a plan file or a desired state with -f',
    });
  }
  if (file !== undefined && flags.out !== undefined) {
    return problem('usage', `--out can't be used with a plan file: the plan is already in ${file}`, {
      hint: 'rampart apply -f FILE --out PLAN keeps the plan of a desired state',
    });
  }
  const planning = [
    'deleteFirst',
    'skipBlocked',
    'strict',
    'allowEmptyFleet',
    'batchSize',
    'target',
    'exclude',
  ] as const;
  const given = file === undefined ? undefined : planning.find((each) => flags[each] !== undefined);
  if (given === undefined) return undefined;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return problem('usage', `--${flag} has no effect on a saved plan: set it in rampart plan`, {
    hint: `rampart plan --${flag} … --out FILE`,
  });
}

async function fromDesired(flags: ApplyFlags, context: Context): Promise<Result<PlanSource>> {
  const desired = await readDesiredState(flags.file ?? [], context);
  if (!desired.ok) return desired;
  context.report(desired.problems);
  return ok(async (connection) => {
    const fleet = await readLiveFleet(context, connection, desired.value, flags);
    if (!fleet.ok) return fleet;
    context.report(fleet.problems);
    const { observed } = fleet.value;
    const planner = await createCommandPlanner(context, { desired: desired.value, ...fleet.value }, flags);
    if (!planner.ok) return planner;
    const made = planner.value.planOn(observed);
    if (!made.ok) return made;
    if (flags.out !== undefined) {
      const saved = await savePlan(context, made.value, flags.out);
      if (!saved.ok) return saved;
    }
    const replan = (later: Observed) => {
      const again = planner.value.planOn(later);
      return again.ok ? again.value : made.value;
    };
    const { installs } = planner.value;
    const { partial, pendingInstalls, steps } = made.value;
    const isWhole = !partial && flags.skipBlocked === undefined && pendingInstalls.length === 0;
    const intended = isWhole ? { intended: () => predict(observed, steps) } : {};
    return ok({ plan: made.value, observed, replan, installs, ...intended });
  });
}

async function fromFile(file: string, flags: ApplyFlags, context: Context): Promise<Result<Plan>> {
  const loaded = await loadPlan(context, file);
  if (!loaded.ok) return loaded;
  if (context.signed.isRequired()) {
    const { account } = loaded.value;
    const checksum = planChecksum(loaded.value);
    const signature = await checkPlanFile(context, { file, checksum, account }, flags);
    if (!signature.ok) return signature;
    context.signed.add(checksum, signature.value);
    context.log(signedWords(signature.value));
  }
  const plan = flags.ack === undefined ? loaded.value : acknowledge(loaded.value, flags.ack);
  const stale = planAgeProblem(plan, context.io.clock.now(), flags.maxPlanAge);
  return stale === undefined ? ok(plan) : failed(stale);
}
