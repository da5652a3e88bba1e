import { z } from 'zod';
import type { Visible } from '../../../api/access/grants.ts';
import { pageOf, pageQuery } from '../../../api/resource.ts';
import { type RolloutDetail, reasonRequest, rolloutDetail, rolloutRow } from '../../../api/runs.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { missing } from '../../http/api-answers.ts';
import type { HttpParts } from '../../http/http-parts.ts';
import { badCursor } from '../../http/page-cursor.ts';
import { recordAct } from '../../http/record-act.ts';
import { type RouteCall, route } from '../../http/route.ts';
import { toRolloutDetail, toRolloutRow } from './rollout-shapes.ts';

const rolloutParams = z.object({ id: z.string().min(1).max(100) });

export const rolloutRoutes = [
  route({
    id: 'listRollouts',
    method: 'get',
    path: '/api/v1/rollouts',
    tag: 'Rollouts',
    summary: 'List rollouts, latest first.',
    access: { action: 'read', on: 'accounts' },
    query: pageQuery,
    answer: pageOf(rolloutRow),
    handle: ({ query, visible, parts }) => listRollouts(parts, visible, query),
  }),
  route({
    id: 'getRollout',
    method: 'get',
    path: '/api/v1/rollouts/{id}',
    tag: 'Rollouts',
    summary: 'Show a rollout with its waves and accounts.',
    access: { action: 'read', on: 'accounts' },
    params: rolloutParams,
    answer: rolloutDetail,
    handle: ({ params: { id }, visible, parts }) => findRollout(parts, id, visible),
  }),
  ...(['stop', 'resume', 'abort'] as const).map((verb) =>
    route({
      id: `${verb}Rollout`,
      method: 'post',
      path: `/api/v1/rollouts/{id}/${verb}`,
      tag: 'Rollouts',
      summary: {
        stop: 'Stop a rollout after the accounts that are being changed.',
        resume: 'Resume a rollout that stopped.',
        abort: 'End a rollout for good.',
      }[verb],
      access: { action: 'rollout', on: 'accounts' },
      params: rolloutParams,
      body: reasonRequest,
      answer: rolloutDetail,
      status: 202,
      guards: 'getRollout',
      handle: (call) => act(call, verb),
    }),
  ),
];

type Act = RouteCall<z.output<typeof rolloutParams>, unknown, z.output<typeof reasonRequest>>;

/** A rollout is changed as a whole, so the caller needs the role for each of its accounts. */
async function act(call: Act, verb: 'stop' | 'resume' | 'abort'): Promise<Result<RolloutDetail>> {
  const { params, body, identity, parts, visible, may } = call;
  const { id } = params;
  const seen = await findRollout(parts, id, visible);
  if (!seen.ok) return seen;
  const whole = await findRollout(parts, id, 'all');
  if (!whole.ok) return whole;
  if (!whole.value.accounts.every(({ account }) => may('rollout', account))) return failed(missing);
  const recorded = await recordAct(call, `rollout-${verb}-requested`, { rollout_id: id }, body.reason);
  if (!recorded.ok) return recorded;
  const { work } = parts;
  const does = { stop: work.stopRollout, resume: work.resumeRollout, abort: work.abortRollout };
  const done = await does[verb](id, identity.subject, body.reason);
  return done.ok ? findRollout(parts, id, visible) : done;
}

async function findRollout(
  { state }: Pick<HttpParts, 'state'>,
  id: string,
  visible: Visible,
): Promise<Result<RolloutDetail>> {
  const log = await state.rollouts.read(id);
  if (!log.ok) return log;
  const detail = log.value === null ? undefined : toRolloutDetail(log.value, visible);
  return detail === undefined ? failed(missing) : ok(detail);
}

/** Latest first. The cursor is the id of the last rollout of the page before. */
export async function listRollouts(
  parts: Pick<HttpParts, 'state'>,
  visible: Visible,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Result<{ items: ReturnType<typeof toRolloutRow>[]; next?: string }>> {
  const ids = await parts.state.rollouts.list();
  if (!ids.ok) return ids;
  const start = cursor === undefined ? 0 : ids.value.indexOf(cursor) + 1;
  if (cursor !== undefined && start === 0) return failed(badCursor);
  const items: ReturnType<typeof toRolloutRow>[] = [];
  for (const id of ids.value.slice(start)) {
    const found = await findRollout(parts, id, visible);
    // A rollout of accounts that the caller may not see, or that was removed meanwhile.
    if (found.ok) items.push(toRolloutRow(found.value));
    if (items.length > limit) break;
  }
  const last = items[limit - 1];
  return ok({
    items: items.slice(0, limit),
    ...(items.length > limit && last !== undefined ? { next: last.id } : {}),
  });
}
