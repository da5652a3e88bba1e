import type { RolloutConfig } from '../../../accounts/config/rollout-config.ts';
import { createdRollout, type RolloutRequest, rolloutRequest } from '../../../api/runs.ts';
import { hasNotBegun } from '../../../api/states.ts';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { decidePlan } from '../../approvals/routes/decide-plan.ts';
import { missing } from '../../http/api-answers.ts';
import { type HttpParts, type RouteCall, recordAct, route } from '../../http/route.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { startRollout } from '../rules/start-rollout.ts';

export const startRolloutRoutes = [
  route({
    id: 'startRollout',
    method: 'post',
    path: '/api/v1/rollouts',
    tag: 'Rollouts',
    summary: 'Approve plans of several accounts, and apply them in waves.',
    access: { action: 'rollout', on: 'accounts' },
    body: rolloutRequest,
    answer: createdRollout,
    status: 202,
    handle: (call) => start(call),
  }),
];

type Start = RouteCall<unknown, unknown, RolloutRequest>;

/**
 * Each waiting plan gets its own approval, by its checksum. None of them starts outside of the rollout. Nothing is
 * approved unless all of them can be, and no other rollout is changing one of the accounts.
 */
async function start(call: Start): Promise<Result<{ readonly id: string }>> {
  const { body, parts, identity } = call;
  const read = await readPlans(call);
  if (!read.ok) return read;
  const wrong = rulesProblem(call, read.value);
  if (wrong !== undefined) return failed(wrong);
  const recorded = await recordAct(
    call,
    'rollout-start-requested',
    { plans: body.plans.map(({ id }) => id) },
    body.reason,
  );
  if (!recorded.ok) return recorded;
  const started = await startRollout(
    {
      plans: read.value.map(({ record }) => record.id),
      by: identity.subject,
      reason: body.reason,
      rules: rulesOf(body),
      approve: (inside) => approveAll(call, read.value, inside),
    },
    parts,
  );
  return started.ok ? ok({ id: started.value }) : started;
}

async function approveAll(
  call: Start,
  plans: readonly GivenPlan[],
  store: HttpParts['store'],
): Promise<Result<null>> {
  const held = { ...call, parts: { ...call.parts, store } };
  for (const { record, given } of plans) {
    if (record.state !== 'waiting') continue;
    const { checksum, numbers } = given;
    const decided = await decidePlan(held, record.id, {
      via: 'rollout',
      decision: 'approved',
      checksum,
      numbers,
    });
    if (!decided.ok) return decided;
    if (decided.value.state !== 'approved') return failed(needsOthers(record));
  }
  return ok(null);
}

interface GivenPlan {
  readonly record: PlanRecord;
  readonly given: RolloutRequest['plans'][number];
}

/** The plans, if the caller may start all of them and approve the waiting ones. */
async function readPlans({ body, parts, visible, may }: Start): Promise<Result<GivenPlan[]>> {
  const found: GivenPlan[] = [];
  const accounts = new Set<string>();
  for (const given of body.plans) {
    const record = await parts.store.plans.find(given.id, visible);
    if (record === undefined || !may('rollout', record.account)) return failed(missing);
    const { account, state } = record;
    if (accounts.has(account))
      return failed(
        problem('invalid-value', `there are two plans of the account "${account}"`, {
          hint: 'name one plan for each account',
        }),
      );
    accounts.add(account);
    if (record.checksum !== given.checksum)
      return failed(
        problem('stale-plan', `the checksum is not that of the plan of "${account}"`, {
          hint: 'review the plan again',
        }),
      );
    if (!hasNotBegun(state))
      return failed(
        problem('not-approved', `the plan of "${account}" is ${state}`, { hint: 'choose other plans' }),
      );
    if (state === 'waiting' && !may('approve', account))
      return failed(
        problem('forbidden', `the plan of "${account}" waits for the approval of someone else`, {
          hint: 'start the rollout once it is approved, or ask an approver to start it',
        }),
      );
    found.push({ record, given });
  }
  return ok(found);
}

function needsOthers({ account }: PlanRecord): Problem {
  return problem('not-approved', `the plan of "${account}" needs the approval of more people`, {
    hint: 'approve it separately; the person who gives the last approval can start the rollout',
  });
}

/** Names and labels in the request may be invented. The response contains no account that the caller may not see. */
function rulesProblem({ body, parts }: Start, plans: readonly GivenPlan[]): Problem | undefined {
  const { canary = [], by } = body;
  const other = canary.find((name) => !plans.some(({ record }) => record.account === name));
  if (other !== undefined)
    return problem('invalid-value', `the canary ${quoted(other)} is not an account of the rollout`, {
      hint: 'select canaries from the accounts of these plans',
    });
  if (by !== undefined && !parts.settings.labels.has(by))
    return problem('invalid-value', `no account has the label ${quoted(by)}`, {
      hint: 'choose a label of the accounts',
    });
  return undefined;
}

function rulesOf({ canary, waves, by, max_failed, parallel, pause_seconds }: RolloutRequest): RolloutConfig {
  return {
    ...(canary === undefined ? {} : { canary: { kind: 'names', names: canary } }),
    ...(waves === undefined ? {} : { shares: waves }),
    ...(by === undefined ? {} : { by }),
    ...(max_failed === undefined ? {} : { maxFailed: { kind: 'count', count: max_failed } }),
    ...(parallel === undefined ? {} : { parallel }),
    ...(pause_seconds === undefined ? {} : { pauseMs: pause_seconds * 1000 }),
  };
}
