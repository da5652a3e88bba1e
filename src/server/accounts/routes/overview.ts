import { history, historyQuery, overview } from '../../../api/overview.ts';
import { openRunStates } from '../../../api/states.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import { planRowFor } from '../../approvals/routes/decide-plan.ts';
import { route } from '../../http/route.ts';
import { toRunRow } from '../../http/shapes.ts';
import { openRollouts } from '../../rollouts/routes/rollouts.ts';
import { countWaiting } from '../decisions/waiting-for.ts';
import { hourlyDays } from '../records/history.ts';
import { pausedNames } from './paused-accounts.ts';

const hourSeconds = 3_600;
const daySeconds = 86_400;
/** Rows of each list of the overview; each has its own page with all of them. */
const mostRows = 20;
/** The maximum number of values in one chart. */
const mostBuckets = 400;

const hasMore = (page: Result<{ readonly next?: string }>) => page.ok && page.value.next !== undefined;

export const overviewRoutes = [
  route({
    id: 'getOverview',
    method: 'get',
    path: '/api/v1/overview',
    tag: 'Overview',
    summary: 'Show whether everything is as it should be, and what waits, runs and differs.',
    access: { action: 'read', on: 'accounts' },
    answer: overview,
    volatile: ['at'],
    async handle(call) {
      const { visible, parts } = call;
      const { store, settings } = parts;
      const { unmatched: _unmatched, ...counts } = await store.overview(visible);
      const causes = await store.causes.list({ visible, limit: mostRows });
      const waiting = await store.plans.list({ visible, states: ['waiting'], limit: mostRows });
      const running = await store.runs.list({
        visible,
        states: openRunStates,
        limit: mostRows,
      });
      const rollouts = await openRollouts(parts, visible, mostRows);
      const failure = [causes, waiting, running, rollouts].find((each) => !each.ok);
      if (failure !== undefined && !failure.ok) return failure;
      const pauses = await store.pauses.list();
      const paused = pausedNames(pauses, settings);
      return ok({
        ...counts,
        waiting_for: countWaiting(await store.accounts.waiting(visible), (name) => paused.has(name)),
        causes: causes.ok ? causes.value.items : [],
        paused: visible === 'all' ? paused.size : visible.filter((name) => paused.has(name)).length,
        waiting: waiting.ok
          ? waiting.value.items.map((each) => ({
              ...planRowFor(each, call),
              is_paused: paused.has(each.account),
            }))
          : [],
        running: running.ok ? running.value.items.map(toRunRow) : [],
        rollouts: rollouts.ok ? rollouts.value : [],
        more: { causes: hasMore(causes), waiting: hasMore(waiting), running: hasMore(running) },
      });
    },
  }),
  route({
    id: 'getHistory',
    method: 'get',
    path: '/api/v1/history',
    tag: 'Overview',
    summary: 'Show drift, changes, checks and refusals of the service over time.',
    access: { action: 'read', on: 'accounts' },
    query: historyQuery,
    answer: history,
    async handle({ query: { days, account }, visible, parts: { store, clock } }) {
      // The store keeps hours of the last days only, and whole days before them.
      const unit = days < hourlyDays ? hourSeconds : daySeconds;
      const units = (days * daySeconds) / unit;
      const bucketSeconds = Math.ceil(units / mostBuckets) * unit;
      const buckets = Math.ceil((units * unit) / bucketSeconds);
      const end = Math.floor(clock.now() / 1_000 / unit) * unit + unit;
      const from = new Date((end - buckets * bucketSeconds) * 1_000);
      return ok(await store.history.read({ visible, account, from, buckets, bucketSeconds }));
    },
  }),
];
