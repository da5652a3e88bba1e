import type { z } from 'zod';
import { isVisible, type Visible } from '../../../api/access/grants.ts';
import type { Counts } from '../../../api/accounts.ts';
import { idParams, pageOf, pageQuery } from '../../../api/resource.ts';
import {
  type RolloutDetail,
  type RolloutRow,
  reasonRequest,
  rolloutDetail,
  rolloutRow,
} from '../../../api/runs.ts';
import { isEndedRollout } from '../../../api/states.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { type Rollout, type RolloutAccount, rolloutOf } from '../../../run/state/rollout/rollout.ts';
import { badCursor } from '../../database/page.ts';
import { missing } from '../../http/api-answers.ts';
import { type HttpParts, type RouteCall, recordAct, route } from '../../http/route.ts';
import type { ServerRun } from '../../runs/records/runs.ts';
import { hostsChangedBy } from '../../runs/rules/run-record.ts';
import { abortRollout, continueRollout, stopRollout } from '../rules/change-rollout.ts';

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
    params: idParams,
    answer: rolloutDetail,
    handle: ({ params: { id }, visible, parts }) => findRollout(parts, id, visible),
  }),
  ...(['stop', 'continue', 'abort'] as const).map((verb) =>
    route({
      id: `${verb}Rollout`,
      method: 'post',
      path: `/api/v1/rollouts/{id}/${verb}`,
      tag: 'Rollouts',
      summary: {
        stop: 'Stop a rollout after the accounts that are being changed.',
        continue: 'Continue a rollout that stopped.',
        abort: 'End a rollout for good.',
      }[verb],
      access: { action: 'rollout', on: 'accounts' },
      params: idParams,
      body: reasonRequest,
      answer: rolloutDetail,
      status: 202,
      guards: 'getRollout',
      handle: (call) => act(call, verb),
    }),
  ),
];

type Act = RouteCall<z.output<typeof idParams>, unknown, z.output<typeof reasonRequest>>;

/** A rollout is changed as a whole, so the caller needs the role for each of its accounts. */
async function act(call: Act, verb: 'stop' | 'continue' | 'abort'): Promise<Result<RolloutDetail>> {
  const { params, body, identity, parts, visible, may } = call;
  const { id } = params;
  const seen = await findRollout(parts, id, visible);
  if (!seen.ok) return seen;
  const whole = await findRollout(parts, id, 'all');
  if (!whole.ok) return whole;
  if (!whole.value.accounts.every(({ account }) => may('rollout', account))) return failed(missing);
  const recorded = await recordAct(call, `rollout-${verb}-requested`, { rollout_id: id }, body.reason);
  if (!recorded.ok) return recorded;
  const does = { stop: stopRollout, continue: continueRollout, abort: abortRollout };
  const done = await does[verb](id, identity.subject, body.reason, parts);
  return done.ok ? findRollout(parts, id, visible) : done;
}

async function findRollout(
  { state, store }: Pick<HttpParts, 'state' | 'store'>,
  id: string,
  visible: Visible,
): Promise<Result<RolloutDetail>> {
  const log = await state.rollouts.read(id);
  if (!log.ok) return log;
  return log.value === null ? failed(missing) : detailOf(rolloutOf(log.value), store, visible);
}

async function detailOf(
  rollout: Rollout,
  store: HttpParts['store'],
  visible: Visible,
): Promise<Result<RolloutDetail>> {
  const checksums = rollout.head.accounts.map(({ plan_checksum: checksum }) => checksum);
  const runs = (await store.runs.ofPlans(checksums, visible)).filter(({ account }) => {
    const { status, exitCode = null } = rollout.accounts.get(account) ?? {};
    // Before its turn, the run of an account belongs to an earlier rollout of the same plan.
    return status !== undefined && (status !== 'pending' || exitCode !== null);
  });
  const detail = toRolloutDetail(rollout, visible, new Map(runs.map((run) => [run.account, run])));
  return detail === undefined ? failed(missing) : ok(detail);
}

/** Latest first. The cursor is the id of the last rollout of the page before. */
async function listRollouts(
  parts: Pick<HttpParts, 'state' | 'store'>,
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

/** The newest rollouts among which the overview looks for those that have not ended. */
const mostLookedAt = 100;

/** The rollouts that have not ended, latest first. */
export async function openRollouts(
  { state, store }: Pick<HttpParts, 'state' | 'store'>,
  visible: Visible,
  limit: number,
): Promise<Result<readonly RolloutRow[]>> {
  const ids = await state.rollouts.list();
  if (!ids.ok) return ids;
  const rows: RolloutRow[] = [];
  for (const id of ids.value.slice(0, mostLookedAt)) {
    const log = await state.rollouts.read(id);
    if (!log.ok || log.value === null) continue;
    const rollout = rolloutOf(log.value);
    if (isEndedRollout(states[rollout.state])) continue;
    const found = await detailOf(rollout, store, visible);
    if (found.ok) rows.push(toRolloutRow(found.value));
    if (rows.length === limit) break;
  }
  return ok(rows);
}

type Wave = RolloutRow['waves'][number];

const states: Readonly<Record<Rollout['state'], RolloutRow['state']>> = {
  draft: 'waiting',
  running: 'running',
  stopped: 'stopped',
  completed: 'done',
  aborted: 'aborted',
  undoing: 'running',
  undone: 'aborted',
};

/** A rollout with the accounts that the caller may see; undefined if there are none. */
function toRolloutDetail(
  rollout: Rollout,
  visible: Visible,
  runs: ReadonlyMap<string, ServerRun>,
): RolloutDetail | undefined {
  const accounts = [...rollout.accounts.values()].filter(({ name }) => isVisible(visible, name));
  if (accounts.length === 0) return undefined;
  const { head } = rollout;
  const waves = head.waves.map(({ name }, index) =>
    toWave(
      name,
      accounts.filter(({ wave }) => wave === index),
      rollout,
    ),
  );
  const current = waves.findIndex(({ state }) => state === 'running' || state === 'stopped');
  const state = states[rollout.state];
  return {
    id: rollout.id,
    name: head.origin.reason ?? rollout.id,
    state,
    reason: stopReason(rollout.stop, visible),
    by: { kind: 'person', id: head.origin.actor, name: head.origin.actor },
    started_at: utc(head.at),
    ended_at: isEndedRollout(state) ? utc(rollout.lastAt) : null,
    wave: current >= 0 ? current : waves.filter(({ state }) => state === 'done').length,
    waves,
    changed: changedBy([...runs.values()]),
    accounts: accounts.flatMap(({ name: account, wave, status: state, why }) => {
      const run = runs.get(account);
      const changed = changedBy(run === undefined ? [] : [run]);
      return wave === null ? [] : [{ account, wave, state, run: run?.id ?? null, why, changed }];
    }),
  };
}

function changedBy(runs: readonly ServerRun[]): Counts {
  const changed = runs.flatMap((run) => [...hostsChangedBy(run)]);
  const of = (kind: keyof Counts) =>
    changed.reduce((sum, [each, hosts]) => (each === kind ? sum + hosts : sum), 0);
  return {
    rename: of('rename'),
    move: of('move'),
    delete: of('delete'),
    install: of('install'),
    refresh: of('refresh'),
  };
}

/** The words may contain the account that stopped it. */
function stopReason(stop: Rollout['stop'], visible: Visible): string | null {
  if (stop === null) return null;
  const { account } = stop;
  return account === undefined || isVisible(visible, account)
    ? stop.why
    : 'an account that you may not see stopped it';
}

/** The row of a list: a rollout without its accounts. */
function toRolloutRow({ accounts: _accounts, ...row }: RolloutDetail): RolloutRow {
  return row;
}

function toWave(name: string, accounts: readonly RolloutAccount[], { state }: Rollout): Wave {
  const count = (...statuses: readonly RolloutAccount['status'][]) =>
    accounts.filter(({ status }) => statuses.includes(status)).length;
  const done = count('done', 'undone');
  const failed = count('failed', 'undo-failed');
  const running = count('running');
  const isDone = done + failed + count('skipped') === accounts.length;
  const hasBegun = done + failed + running > 0;
  const stateOfWave = isDone ? 'done' : !hasBegun ? 'pending' : state === 'running' ? 'running' : 'stopped';
  return { name, accounts: accounts.length, done, failed, running, state: stateOfWave };
}

function utc(at: string): string {
  return new Date(at).toISOString();
}
