import type { RolloutConfig } from '../../../../control/accounts/rollout-config.ts';
import type { PlanRecord } from '../../../../control/store/plans.ts';
import { problem } from '../../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../../core/problem/result.ts';
import { createdRollout, type RolloutRequest, rolloutRequest } from '../../../api/runs.ts';
import { missing } from '../api-answers.ts';
import { decidePlan } from '../decide-plan.ts';
import { recordAct } from '../record-act.ts';
import { type Call, route } from '../route.ts';

export const startRolloutRoutes = [
  route({
    id: 'startRollout',
    method: 'post',
    path: '/api/v1/rollouts',
    tag: 'Roll-outs',
    summary: 'Approve plans of several accounts, and apply them in waves.',
    access: { action: 'roll-out', on: 'accounts' },
    body: rolloutRequest,
    answer: createdRollout,
    status: 202,
    handle: (call) => start(call),
  }),
];

type Start = Call<unknown, unknown, RolloutRequest>;

/** Each waiting plan gets an approval of its own, by its checksum. None of them starts outside of the roll-out. */
async function start(call: Start): Promise<Result<{ readonly id: string }>> {
  const { body, parts, identity, visible, may } = call;
  const found: { readonly record: PlanRecord; readonly given: RolloutRequest['plans'][number] }[] = [];
  for (const given of body.plans) {
    const record = await parts.store.plans.find(given.id, visible);
    if (record === undefined || !may('roll-out', record.account)) return failed(missing);
    if (record.checksum !== given.checksum)
      return failed(
        problem('stale-plan', `the checksum is not that of the plan of "${record.account}"`, {
          hint: 'review the plan again',
        }),
      );
    if (record.state === 'waiting' && !may('approve', record.account))
      return failed(
        problem('forbidden', `the plan of "${record.account}" waits for the approval of someone else`, {
          hint: 'start the roll-out once it is approved, or ask an approver to start it',
        }),
      );
    found.push({ record, given });
  }
  const recorded = await recordAct(
    call,
    'rollout-start-requested',
    { plans: body.plans.map(({ id }) => id) },
    body.reason,
  );
  if (!recorded.ok) return recorded;
  const held = { ...call, parts: { ...parts, work: { ...parts.work, run: async () => {} } } };
  for (const { record, given } of found) {
    if (record.state !== 'waiting') continue;
    const { checksum, numbers } = given;
    const decided = await decidePlan(held, record.id, 'roll-out', {
      decision: 'approved',
      checksum,
      numbers,
    });
    if (!decided.ok) return decided;
    if (decided.value.state !== 'approved')
      return failed(
        problem('not-approved', `the plan of "${record.account}" needs the approval of more people`, {
          hint: 'your approval counts; start the roll-out again after theirs',
        }),
      );
  }
  const plans = found.map(({ record }) => record.id);
  const started = await parts.work.startRollout(plans, identity.subject, body.reason, rulesOf(body));
  return started.ok ? ok({ id: started.value }) : started;
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
