import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { AccountsFile } from '../../accounts/config/read-accounts.ts';
import type { RolloutCanary, RolloutConfig } from '../../accounts/config/rollout-config.ts';
import type { SavedPlans } from '../../accounts/plans/plans-index.ts';
import { canariesOf, newRolloutId, rolloutHead, saveRollout } from '../../accounts/rollouts/save-rollout.ts';
import { spreadAcks } from '../../accounts/rollouts/spread-acks.ts';
import { defined } from '../../core/lib/defined.ts';
import { quoted } from '../../core/lib/words.ts';
import { printPlan } from '../../core/plan/document/plan-document.ts';
import { acknowledge } from '../../core/plan/guards/guard.ts';
import { operatorProblems } from '../../core/plan/guards/operator.ts';
import { isTimeProblem } from '../../core/plan/guards/time-problems.ts';
import { type Acks, isEmpty, type Plan } from '../../core/plan/types/plan.ts';
import {
  asWarning,
  failed,
  ok,
  type Place,
  type Problem,
  problem,
  type Result,
} from '../../core/problem/problem.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../run/apply/exit-code.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { Origin } from '../../run/state/journal/record.ts';
import type { RolloutLog } from '../../run/state/rollout/rollout.ts';
import type { RolloutHead } from '../../run/state/rollout/rollout-record.ts';
import { observedOnly } from '../service/refuse-writing.ts';
import { planAgeProblem } from './plan-age.ts';
import { accountNamesOrCondition, type WaveFlags } from './rollout-flags.ts';

export interface RolloutOfPlans {
  readonly plans: SavedPlans;
  readonly file: AccountsFile;
  /** Somebody has seen the plans, or will be asked. */
  readonly isReviewed: boolean;
  /** Accounts that the user named one by one. */
  readonly named: ReadonlySet<string>;
  readonly flags: WaveFlags;
  readonly origin: Origin;
  readonly state: State;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds. */
  readonly maxPlanAge?: number | undefined;
}

type PlannedAccount = SavedPlans['index']['review']['accounts'][number];

/** An account with its acknowledged plan, or why the rollout does not apply one. */
type Choice =
  | { readonly kind: 'apply'; readonly config: AccountConfig; readonly plan: Plan }
  | { readonly kind: 'leave'; readonly left: RolloutHead['left_out'][number] };

/** Checks and saves the plans of a rollout, one after another, and saves its head. Nothing is applied yet. */
export async function createRollout(given: RolloutOfPlans): Promise<Result<RolloutLog>> {
  const { plans, file, flags, state, now, origin } = given;
  const configured = new Map(file.accounts.map((account) => [account.name, account]));
  const refused = observedByName(given, configured);
  if (refused.length > 0) return failed(...refused);
  const { accounts: reports } = plans.index.review;
  const acks = spreadAcks(
    flags.accountAcks ?? [],
    reports.flatMap(({ account, plan }) =>
      plan === undefined || !mayChange(configured.get(account.name))
        ? []
        : [{ account: account.name, counts: plan.summary }],
    ),
  );
  if (!acks.ok) return acks;
  const choices: Choice[] = [];
  const warnings: Problem[] = [];
  for (const report of reports) {
    const { name } = report.account;
    const made = await choose(report, configured.get(name), acks.value.get(name) ?? {}, given);
    if (!made.ok) return made;
    choices.push(made.value);
    warnings.push(...made.problems);
  }
  const chosen = choices.filter((each) => each.kind === 'apply');
  const unreviewed = unreviewedProposals(
    given,
    chosen.map(({ config }) => config),
  );
  if (unreviewed.length > 0) return failed(...unreviewed);
  const rules = rulesOf(file, flags);
  const canaries = canariesOf(file, rules.canary, {
    flag: flags.canaryAccounts === undefined ? '"canary"' : '--canary-accounts',
    ...(rules.places?.canary && { place: rules.places.canary }),
  });
  if (!canaries.ok) return canaries;
  const { by, places } = rules;
  if (by !== undefined && !file.labels.has(by)) return failed(noLabel(by, file, places?.by));
  const at = new Date(now).toISOString();
  const head = rolloutHead({
    id: newRolloutId(at),
    at,
    origin,
    indexChecksum: plans.index.checksum,
    rules,
    canaries: canaries.value,
    accounts: chosen,
    leftOut: choices.flatMap((each) => (each.kind === 'leave' ? [each.left] : [])),
  });
  const planOf = new Map(chosen.map(({ config, plan }) => [config.name, plan]));
  const saved = await saveRollout(state.rollouts, head, (name) => printPlan(planOf.get(name) as Plan));
  return saved.ok ? ok({ head, events: [], revision: 0 }, warnings) : saved;
}

/** What the rollout does about one account. Problems: that its plan can't be read or is too old, or a warning. */
async function choose(
  { account: { name }, exit_code, outcome, problems }: PlannedAccount,
  config: AccountConfig | undefined,
  acks: Acks,
  given: RolloutOfPlans,
): Promise<Result<Choice>> {
  const leave = (status: 'failed' | 'skipped', exitCode: ExitCode, why: string): Choice => ({
    kind: 'leave',
    left: { account: name, status, exit_code: exitCode, why },
  });
  if (outcome === 'no-changes') return ok(leave('skipped', exitCodes.success, 'no changes'));
  if (config === undefined)
    return ok(leave('failed', exitCodes.invalid, 'the configuration has no account with this name'));
  if (!mayChange(config)) {
    const left = observedOnly(config, 'nothing was changed');
    return ok(
      leave('skipped', exitCodes.success, 'its mode is observe'),
      left === undefined ? [] : [asWarning(left)],
    );
  }
  if (outcome === 'failed') {
    const why = problems.first[0]?.message ?? 'it was not planned';
    return ok(leave('failed', (exit_code || exitCodes.error) as ExitCode, why));
  }
  const read = await given.plans.readPlan(name);
  if (!read.ok) return read;
  const plan = acknowledge(read.value, acks);
  const stale = planAgeProblem(plan, given.now, given.maxPlanAge);
  if (stale !== undefined) return failed(stale);
  const errors = blockers(plan, config, given);
  if (errors[0] !== undefined) return ok(leave('failed', exitCodeOf(errors), errors[0].message));
  if (isEmpty(plan)) return ok(leave('failed', exitCodes.incomplete, 'an install is in doubt'));
  return ok({ kind: 'apply', config, plan });
}

/** The rules of the configuration, with those that a flag overrides. */
function rulesOf({ rollout }: AccountsFile, flags: WaveFlags): RolloutConfig {
  const { canaryAccounts, waves: shares, waveLabel: by, wavePause: pauseMs, maxFailed, parallel } = flags;
  const canary = canaryAccounts === undefined ? undefined : canaryOf(canaryAccounts);
  const { canary: canaryPlace, by: byPlace } = rollout?.places ?? {};
  return {
    ...rollout,
    ...defined({ canary, shares, by, pauseMs, maxFailed, parallel }),
    places: {
      ...(canary === undefined && canaryPlace !== undefined && { canary: canaryPlace }),
      ...(by === undefined && byPlace !== undefined && { by: byPlace }),
    },
  };
}

function mayChange(account: AccountConfig | undefined): boolean {
  return account?.mode !== 'observe';
}

/** An account that is named one by one and may only be observed is a mistake of the user. */
function observedByName(
  { named, plans }: RolloutOfPlans,
  configured: ReadonlyMap<string, AccountConfig>,
): readonly Problem[] {
  return plans.index.review.accounts.flatMap(({ account: { name } }) => {
    const config = configured.get(name);
    const refused = config && named.has(name) ? observedOnly(config, 'nothing was changed') : undefined;
    return refused ?? [];
  });
}

/** In mode `propose`, somebody approves the plans: their folder, its checksum, or with "yes" at the terminal. */
function unreviewedProposals(
  { isReviewed }: RolloutOfPlans,
  chosen: readonly AccountConfig[],
): readonly Problem[] {
  const proposed = isReviewed ? [] : chosen.filter(({ mode }) => mode === 'propose');
  const [first] = proposed;
  if (first === undefined) return [];
  const who =
    proposed.length === 1
      ? `the account ${quoted(first.name)} is`
      : `${proposed.length} accounts, such as ${quoted(first.name)}, are`;
  return [
    problem(
      'not-approved',
      `${who} in mode propose, so --auto-approve does not approve new plans: nothing was changed`,
      {
        place: first.places['mode'] ?? first.place,
        hint: 'save the plans for review with rampart plan --accounts … --out plans/, then run rampart apply plans/',
      },
    ),
  ];
}

/** Errors other than a closed window, which may be open when the turn of the account comes. */
function blockers(plan: Plan, config: AccountConfig, { now }: RolloutOfPlans): readonly Problem[] {
  const all = [...plan.problems, ...operatorProblems(plan, config, new Date(now).toISOString())];
  return all.filter((each) => each.severity === 'error' && !isTimeProblem(each));
}

function canaryOf(text: string): RolloutCanary {
  const names = accountNamesOrCondition(text) ?? [];
  return names.length > 0 ? { kind: 'names', names } : { kind: 'where', where: text };
}

function noLabel(by: string, { labels }: AccountsFile, place: Place | undefined): Problem {
  return problem('usage', `no account has the label ${quoted(by)}, so it can't separate waves`, {
    ...(place && { place }),
    hint: `the labels are ${[...labels].sort().join(', ') || 'none'}`,
  });
}
