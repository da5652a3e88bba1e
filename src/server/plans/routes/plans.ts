import { z } from 'zod';
import type { ServerAction } from '../../../api/access/action.ts';
import { comparedPlans, comparisonRequest } from '../../../api/compared-plans.ts';
import type { ApprovalDoor } from '../../../api/plans.ts';
import {
  approvalRequest,
  newComment,
  planDetail,
  planFiles,
  planHostsQuery,
  planRow,
  plansQuery,
  rehearsal,
  rejectionRequest,
  reviewHost,
} from '../../../api/plans.ts';
import { idParams, pageOf } from '../../../api/resource.ts';
import { hasNotBegun, planStates } from '../../../api/states.ts';
import { failed, ok, problem } from '../../../core/problem/problem.ts';
import type { PlannedHost } from '../../../output/review/planned-hosts.ts';
import { isIrreversible } from '../../../output/review/reviewed-host.ts';
import type { ApprovalRequest } from '../../approvals/decisions/approval.ts';
import { decidePlan, planRowFor } from '../../approvals/routes/decide-plan.ts';
import { mapPage } from '../../database/page.ts';
import { afterCommit } from '../../http/after-commit.ts';
import { missing } from '../../http/api-answers.ts';
import { entityTagOf, taggedAnswer } from '../../http/entity-tag.ts';
import { listedValues } from '../../http/listed-values.ts';
import { pageOfList } from '../../http/page-cursor.ts';
import { type Access, type RouteCall, recordAct, recordActWithin, route } from '../../http/route.ts';
import { toRehearsal } from '../../http/shapes.ts';
import { compareOpenPlans } from './compare-open-plans.ts';
import { planDetailOf, storedReview, withStates } from './plan-detail.ts';

const onPlan = (action: ServerAction): Access => ({
  action,
  on: 'account',
  accountOf: async ({ id }, { store }) => ok((await store.plans.find(id ?? '', 'all'))?.account ?? null),
});

export const planRoutes = [
  route({
    id: 'listPlans',
    method: 'get',
    path: '/api/v1/plans',
    tag: 'Plans',
    summary: 'List plans, latest first.',
    access: { action: 'read', on: 'accounts' },
    query: plansQuery,
    answer: pageOf(planRow),
    async handle(call) {
      const { query, visible, parts } = call;
      const states = listedValues(query.state, planStates, 'state of a plan');
      if (!states.ok) return states;
      const page = await parts.store.plans.list({
        visible,
        cursor: query.cursor,
        limit: query.limit,
        account: query.account,
        states: states.value,
        source: query.source,
        pullRequest: query.pull_request,
        text: query.q,
        risk: query.risk,
      });
      return mapPage(page, (each) => planRowFor(each, call));
    },
  }),
  route({
    id: 'comparePlans',
    method: 'post',
    path: '/api/v1/plans/compare',
    tag: 'Plans',
    summary: 'Show the open plans of several accounts and what distinguishes them. Changes nothing.',
    access: { action: 'read', on: 'accounts' },
    body: comparisonRequest,
    answer: comparedPlans,
    handle: async (call) => ok(await compareOpenPlans(call, call.body)),
  }),
  route({
    id: 'getPlan',
    method: 'get',
    path: '/api/v1/plans/{id}',
    tag: 'Plans',
    summary: 'Show what a plan changes, what it needs, and who approved it.',
    access: onPlan('read'),
    params: idParams,
    answer: planDetail,
    async handle(call) {
      const {
        params: { id },
        visible,
        parts,
      } = call;
      const record = await parts.store.plans.find(id, visible);
      if (record === undefined) return failed(missing);
      const detail = await planDetailOf(parts, record, visible);
      if (!detail.ok) return detail;
      return ok({ ...planRowFor(record, call), ...detail.value });
    },
  }),
  route({
    id: 'listPlanHosts',
    method: 'get',
    path: '/api/v1/plans/{id}/hosts',
    tag: 'Plans',
    summary: 'List the hosts that a plan changes, in the order of their ids.',
    access: onPlan('read'),
    params: idParams,
    query: planHostsQuery,
    answer: pageOf(reviewHost),
    async handle({ params: { id }, query, visible, parts }) {
      const record = await parts.store.plans.find(id, visible);
      if (record === undefined) return failed(missing);
      const reviewed = await storedReview(parts, record, visible);
      if (!reviewed.ok) return reviewed;
      const page = pageOfList(reviewed.value.review.hosts.filter(matches(query)), query);
      if (!page.ok) return page;
      const items = await withStates(parts, record.account, page.value.items, visible);
      return ok({ ...page.value, items });
    },
  }),
  route({
    id: 'getPlanFiles',
    method: 'get',
    path: '/api/v1/plans/{id}/files',
    tag: 'Plans',
    summary: 'Show the lines of the desired state that were edited since the last change that was applied.',
    access: onPlan('read'),
    params: idParams,
    answer: planFiles,
    async handle({ params: { id }, visible, parts: { store, work } }) {
      const record = await store.plans.find(id, visible);
      if (record === undefined) return failed(missing);
      return ok(await work.planFiles(record, await store.plans.previous(id, visible, 'applied')));
    },
  }),
  route({
    id: 'getPlanDocument',
    method: 'get',
    path: '/api/v1/plans/{id}/document',
    tag: 'Plans',
    summary: 'Download the plan file. `rampart show` and `rampart apply` read it.',
    access: onPlan('read'),
    params: idParams,
    answer: z.looseObject({ format_version: z.string() }),
    async handle({ params: { id }, visible, parts, request }) {
      const text = await parts.store.plans.document(id, visible);
      if (text === undefined) return failed(missing);
      return taggedAnswer(request, text, {
        'content-type': 'application/json',
        'content-disposition': 'attachment; filename="plan.json"',
        'cache-control': 'private, no-cache',
        etag: entityTagOf(text),
      });
    },
  }),
  route({
    id: 'approvePlan',
    method: 'post',
    path: '/api/v1/plans/{id}/approve',
    tag: 'Plans',
    summary: 'Approve exactly this plan, with the exact numbers for the limits that it exceeds.',
    access: onPlan('approve'),
    params: idParams,
    body: approvalRequest,
    answer: planRow,
    guards: 'getPlan',
    async handle(call) {
      const { checksum, numbers, comment, ticket } = call.body;
      return decided(call, { decision: 'approved', checksum, numbers, comment, ticket });
    },
  }),
  route({
    id: 'rejectPlan',
    method: 'post',
    path: '/api/v1/plans/{id}/reject',
    tag: 'Plans',
    summary: 'Reject a plan, with a reason.',
    access: onPlan('approve'),
    params: idParams,
    body: rejectionRequest,
    answer: planRow,
    guards: 'getPlan',
    async handle(call) {
      const { checksum, reason } = call.body;
      return decided(call, { decision: 'rejected', checksum, numbers: {}, comment: reason });
    },
  }),
  route({
    id: 'rehearsePlan',
    method: 'post',
    path: '/api/v1/plans/{id}/rehearsal',
    tag: 'Plans',
    summary:
      'Run a plan on emulated copies of the fleet, as the last check saw it. Nothing is sent to the service.',
    access: onPlan('rehearse'),
    params: idParams,
    answer: rehearsal,
    status: 202,
    async handle(call) {
      const { params, identity, parts, visible } = call;
      const record = await parts.store.plans.find(params.id, visible);
      if (record === undefined) return failed(missing);
      if (!hasNotBegun(record.state))
        return failed(
          problem('stale-plan', `the plan is ${record.state}, so it can't be rehearsed`, {
            hint: 'rehearse a plan that waits or is approved',
          }),
        );
      const asked = await parts.store.transaction(async (inside) => {
        const { rehearsal: found, isNew } = await inside.rehearsals.ask(record.id, identity.subject);
        const what = { plan: record.id, account: record.account };
        if (isNew) recordActWithin(inside, call, 'rehearsal-requested', what);
        return found;
      });
      if (asked.ended_at === null) await afterCommit(parts, () => parts.queue.send('rehearse', [record.id]));
      return ok(toRehearsal(asked));
    },
  }),
  route({
    id: 'commentPlan',
    method: 'post',
    path: '/api/v1/plans/{id}/comments',
    tag: 'Plans',
    summary: 'Comment on a plan.',
    access: onPlan('comment'),
    params: idParams,
    body: newComment,
    answer: planDetail.shape.comments.element,
    status: 201,
    async handle(call) {
      const { params, body, identity, parts, visible } = call;
      const record = await parts.store.plans.find(params.id, visible);
      if (record === undefined) return failed(missing);
      const recorded = await recordAct(call, 'plan-commented', { plan: record.id, account: record.account });
      if (!recorded.ok) return recorded;
      return ok(await parts.store.plans.comment(record.id, identity.subject, body.text));
    },
  }),
];

type Decide = RouteCall<z.output<typeof idParams>>;

async function decided(call: Decide, decision: Omit<ApprovalRequest, 'via'>) {
  const { identity, params, request } = call;
  const via = doorOf(request, identity.csrf !== null);
  const result = await decidePlan(call, params.id, { ...decision, via });
  if (!result.ok) return result;
  return ok(planRowFor(result.value, call));
}

/** Only sessions of a browser have a CSRF token. The command line identifies itself; this decides nothing. */
function doorOf(request: Request, isSession: boolean): ApprovalDoor {
  if (isSession) return 'console';
  return request.headers.get('x-rampart-client') === 'cli' ? 'cli' : 'api';
}

type HostFilter = Pick<z.output<typeof planHostsQuery>, 'q' | 'action' | 'group' | 'irreversible'>;

function matches({ q, action, group, irreversible }: HostFilter) {
  const text = q?.toLowerCase();
  return (host: PlannedHost): boolean =>
    (action === undefined || host.action.includes(action)) &&
    (irreversible === undefined || isIrreversible(host) === (irreversible === 'true')) &&
    (group === undefined || host.group === group || host.new_group === group) &&
    (text === undefined ||
      [host.host_id, host.name, host.new_name, host.group, host.new_group].some(
        (each) => each?.toLowerCase().includes(text) === true,
      ));
}
