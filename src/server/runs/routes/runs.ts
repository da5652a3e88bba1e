import { z } from 'zod';
import type { ServerAction } from '../../../api/access/action.ts';
import { idParams, pageOf } from '../../../api/resource.ts';
import {
  createdPlan,
  reasonRequest,
  runDetail,
  runEvent,
  runEventsQuery,
  runRow,
  runsQuery,
} from '../../../api/runs.ts';
import { runStates } from '../../../api/states.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { AuditKind } from '../../../run/state/audit/audit-record.ts';
import { happen } from '../../accounts/rules/happen.ts';
import { mapPage } from '../../database/page.ts';
import { afterCommit } from '../../http/after-commit.ts';
import { missing } from '../../http/api-answers.ts';
import { listedValues } from '../../http/listed-values.ts';
import { type Access, type RouteCall, recordAct, recordActWithin, route } from '../../http/route.ts';
import { toRunRow } from '../../http/shapes.ts';
import type { Store } from '../../store/open-store.ts';
import type { ServerRun } from '../records/runs.ts';
import { overrideRefusal } from '../rules/may-override.ts';

const onRun = (action: ServerAction): Access => ({
  action,
  on: 'account',
  accountOf: async ({ id }, { store }) => ok((await store.runs.find(id ?? '', 'all'))?.account ?? null),
});

/** What a worker leaves for the page of a run, as far as it is as expected. */
const progress = runDetail.omit(runRow.keyof().options.reduce((all, key) => ({ ...all, [key]: true }), {}));
const noProgress = {
  by_kind: [],
  counts: { rename: 0, move: 0, delete: 0, install: 0, refresh: 0 },
  pace: null,
  seconds_left: null,
  waiting: [],
  problems: [],
  audit: null,
};

/** The run that a call names. */
async function runOf({
  params,
  parts,
  visible,
}: Pick<RouteCall<z.output<typeof idParams>>, 'params' | 'parts' | 'visible'>): Promise<Result<ServerRun>> {
  const run = await parts.store.runs.find(params.id, visible);
  return run === undefined ? failed(missing) : ok(run);
}

/** Records that the caller is about to do something with a run, which the result is. */
async function recordedRun(
  call: RouteCall<z.output<typeof idParams>, unknown, z.output<typeof reasonRequest>>,
  kind: AuditKind,
  isPossible: (run: ServerRun) => boolean = () => true,
): Promise<Result<ServerRun>> {
  const found = await runOf(call);
  if (!found.ok) return found;
  const run = found.value;
  if (!isPossible(run)) return failed(ended);
  const recorded = await recordAct(call, kind, { run: run.id, account: run.account }, call.body.reason);
  return recorded.ok ? ok(run) : recorded;
}

const ended = problem('conflict', 'the run has ended', { hint: 'GET the run to see its result' });

export const runRoutes = [
  route({
    id: 'listRuns',
    method: 'get',
    path: '/api/v1/runs',
    tag: 'Runs',
    summary: 'List runs, latest first.',
    access: { action: 'read', on: 'accounts' },
    query: runsQuery,
    answer: pageOf(runRow),
    async handle({ query, visible, parts }) {
      const states = listedValues(query.state, runStates, 'state of a run');
      if (!states.ok) return states;
      const { cursor, limit, account, plan } = query;
      return mapPage(
        await parts.store.runs.list({
          visible,
          cursor,
          limit,
          account,
          plan,
          states: states.value,
        }),
        toRunRow,
      );
    },
  }),
  route({
    id: 'getRun',
    method: 'get',
    path: '/api/v1/runs/{id}',
    tag: 'Runs',
    summary: 'Show the progress of a run, or its result.',
    access: onRun('read'),
    params: idParams,
    answer: runDetail,
    async handle(call) {
      const found = await runOf(call);
      if (!found.ok) return found;
      const run = found.value;
      const left = progress.safeParse({ ...noProgress, ...run.progress });
      const shown = left.success ? (left.data as unknown as typeof noProgress) : noProgress;
      return ok({ ...toRunRow(run), ...shown, audit: shown.audit ?? run.journal });
    },
  }),
  route({
    id: 'listRunEvents',
    method: 'get',
    path: '/api/v1/runs/{id}/events',
    tag: 'Runs',
    summary: 'List the events of a run in their order.',
    access: onRun('read'),
    params: idParams,
    query: runEventsQuery,
    answer: z.object({ items: z.array(runEvent) }),
    async handle({ params: { id }, query, visible, parts }) {
      return ok({ items: await parts.store.runs.events(id, { ...query, visible }) });
    },
  }),
  route({
    id: 'stopRun',
    method: 'post',
    path: '/api/v1/runs/{id}/stop',
    tag: 'Runs',
    summary: 'Ask a run to stop at the next safe point.',
    access: onRun('stop'),
    params: idParams,
    body: reasonRequest,
    answer: runRow,
    status: 202,
    async handle(call) {
      const { identity, parts } = call;
      const run = await recordedRun(call, 'run-stop-requested', ({ endedAt }) => endedAt === null);
      if (!run.ok) return run;
      const { id, account } = run.value;
      const asked = await happen(account, { kind: 'stop-asked', run: id }, parts, {
        stopBy: identity.subject,
      });
      if (!asked.ok) return asked;
      const stopping = await parts.store.runs.find(id, 'all');
      if (stopping === undefined || asked.value.commands.length === 0) return failed(ended);
      await afterCommit(parts, () => parts.queue.send('run', [account]));
      return ok(toRunRow(stopping));
    },
  }),
  route({
    id: 'overrideRun',
    method: 'post',
    path: '/api/v1/runs/{id}/override',
    tag: 'Runs',
    summary: 'Let a run start or continue while a change window is closed or a freeze is active.',
    access: onRun('override-window'),
    params: idParams,
    body: reasonRequest,
    answer: runRow,
    status: 202,
    async handle(call) {
      const { body, identity, parts, visible } = call;
      const found = await runOf(call);
      if (!found.ok) return found;
      const run = found.value;
      const refusal = await overrideRefusal(run, parts);
      if (refusal !== undefined) return failed(refusal);
      const reason = body.reason.trim();
      let overridden: ServerRun | undefined;
      const override = async (inside: Store) => {
        overridden = await inside.runs.overrideWindows(run.id, identity.subject, reason);
        if (overridden === undefined) return failed(ended);
        const text = `${identity.subject.name} overrides the change windows: ${reason}`;
        await inside.runs.log(run.id, [{ type: 'override', text }]);
        const what = { run: run.id, account: run.account, plan: run.plan };
        recordActWithin(inside, call, 'window-overridden', what, reason);
        return ok(null);
      };
      const event = { kind: 'windows-overridden', run: run.id } as const;
      const decided = await happen(run.account, event, parts, { and: override });
      if (!decided.ok || overridden === undefined) {
        const meanwhile = await parts.store.runs.find(run.id, visible);
        return failed((meanwhile && (await overrideRefusal(meanwhile, parts))) ?? ended);
      }
      await afterCommit(parts, () => parts.queue.send('run', [run.account]));
      return ok(toRunRow(overridden));
    },
  }),
  route({
    id: 'undoRun',
    method: 'post',
    path: '/api/v1/runs/{id}/undo',
    tag: 'Runs',
    summary: 'Plan the reversal of a run. The plan waits for approval like any other.',
    access: onRun('undo'),
    params: idParams,
    body: reasonRequest,
    answer: createdPlan,
    status: 201,
    async handle(call) {
      const run = await recordedRun(call, 'run-undo-requested');
      if (!run.ok) return run;
      const plan = await call.parts.work.undo(run.value, call.identity.subject);
      return plan.ok ? ok({ plan: plan.value }) : plan;
    },
  }),
];
