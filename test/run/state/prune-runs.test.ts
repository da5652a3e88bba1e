import { describe, expect, it } from 'vitest';
import { failed, ok, problem, warning } from '../../../src/core/problem/problem.ts';
import type { RunQuery, State } from '../../../src/run/state/interface/state.ts';
import type { RunDigest } from '../../../src/run/state/journal/run-digest.ts';
import { pruneRuns } from '../../../src/run/state/prune-runs.ts';
import { givenEvents, givenRollout, memoryRollouts } from '../../given/rollouts.ts';
import { givenDigest, givenHead, listing, partialState, timeAt } from '../../given/runs.ts';

const pace = { rate: 7, latency: 0.1 };
const other = { company_id: '43', service: 'https://service.example' };
const cutoff = (seconds: number) => Date.parse(timeAt(seconds));
const idOf = ({ head }: RunDigest) => head.run_id;

/** Latest first. */
function stateOf(runs: readonly RunDigest[], parts: Partial<State> = {}) {
  const removed: string[] = [];
  const state = partialState({
    listRuns: listing(runs),
    async removeRuns(ids) {
      removed.push(...ids);
      return ok(ids.length);
    },
    rollouts: memoryRollouts(),
    ...parts,
  });
  return { state, removed };
}

const origin = { actor: 'ada', host: 'vm' };
const eventsOf = {
  draft: [],
  running: givenEvents(['begun']),
  completed: givenEvents(['begun'], ['completed']),
  aborted: givenEvents(['begun'], ['aborted', undefined, { origin }]),
  undone: givenEvents(['begun'], ['undo-started', undefined, { origin }], ['undo-ended']),
};

/** Rollouts that began a second after the start, by the name of their state. */
async function rolloutsIn(...states: readonly (keyof typeof eventsOf)[]) {
  const rollouts = memoryRollouts();
  for (const state of states) {
    await rollouts.create(givenRollout(undefined, { rollout_id: state, at: timeAt(1) }));
    if (eventsOf[state].length > 0) await rollouts.append(state, 0, eventsOf[state]);
  }
  return rollouts;
}

describe('pruning rollouts', () => {
  it('removes those that began before a time and are over', async () => {
    const rollouts = await rolloutsIn('draft', 'running', 'completed', 'aborted', 'undone');
    const { state } = stateOf([], { rollouts });
    expect(await pruneRuns(state, cutoff(1))).toMatchObject({ value: { rollouts: 0 } });
    expect(await pruneRuns(state, cutoff(2), { dryRun: true })).toMatchObject({ value: { rollouts: 4 } });
    expect(await rollouts.list()).toMatchObject({ value: { length: 5 } });
    expect(await pruneRuns(state, cutoff(2))).toMatchObject({ value: { rollouts: 4 } });
    expect(await rollouts.list()).toEqual(ok(['running']));
  });

  it('leaves out one that was removed meanwhile', async () => {
    const rollouts = { ...(await rolloutsIn('draft')), read: async () => ok(null) };
    expect(await pruneRuns(stateOf([], { rollouts }).state, cutoff(2))).toMatchObject({
      value: { rollouts: 0 },
    });
  });

  it("fails if they can't be listed, read or removed, and removes nothing if none is over", async () => {
    const away = failed(problem('state', 'away'));
    const rollouts = await rolloutsIn('completed');
    for (const parts of [
      { list: async () => away },
      { read: async () => away },
      { remove: async () => away },
    ])
      expect(await pruneRuns(stateOf([], { rollouts: { ...rollouts, ...parts } }).state, cutoff(2))).toEqual(
        away,
      );
    const running = { ...(await rolloutsIn('running')), remove: async () => away };
    expect(await pruneRuns(stateOf([], { rollouts: running }).state, cutoff(2))).toMatchObject({
      value: { rollouts: 0 },
    });
  });
});

describe('pruning runs', () => {
  it('asks for one page if that has all runs', async () => {
    const queries: RunQuery[] = [];
    const { state } = stateOf([], { listRuns: listing([givenDigest(1)], queries) });
    await pruneRuns(state, cutoff(10));
    expect(queries).toHaveLength(1);
  });

  it('removes all runs before a time except the latest, and the latest with a pace', async () => {
    const runs = [
      givenDigest(5),
      givenDigest(4),
      givenDigest(3, { pace }),
      givenDigest(2, { pace }),
      givenDigest(1),
    ];
    const { state, removed } = stateOf(runs);
    expect(await pruneRuns(state, cutoff(10))).toMatchObject({
      value: { removed: 3, needed: 2, rollouts: 0 },
    });
    expect(removed).toEqual([runs[1], runs[3], runs[4]].map((run) => idOf(run as RunDigest)));
  });

  it('keeps runs that began at the time or later, and removes an older run that they make unnecessary', async () => {
    const runs = [givenDigest(3, { pace }), givenDigest(2), givenDigest(1, { pace })];
    const { state, removed } = stateOf(runs);
    expect(await pruneRuns(state, cutoff(2))).toMatchObject({
      value: { removed: 1, needed: 0, rollouts: 0 },
    });
    expect(removed).toEqual([idOf(runs[2] as RunDigest)]);
  });

  it('keeps the latest of each account', async () => {
    const runs = [
      givenDigest(4),
      givenDigest(3, { head: givenHead(3, { account: other }) }),
      givenDigest(2, { head: givenHead(2, { account: { ...other, service: 'https://else.example' } }) }),
      givenDigest(1),
    ];
    const { state, removed } = stateOf(runs);
    expect(await pruneRuns(state, cutoff(10))).toMatchObject({ value: { removed: 1, needed: 3 } });
    expect(removed).toEqual([idOf(runs[3] as RunDigest)]);
  });

  it('removes nothing in a dry run', async () => {
    const { state, removed } = stateOf([givenDigest(3), givenDigest(2), givenDigest(1)]);
    expect(await pruneRuns(state, cutoff(10), { dryRun: true })).toMatchObject({
      value: { removed: 2, needed: 1, rollouts: 0 },
    });
    expect(removed).toEqual([]);
  });

  it("records what it removes first, and removes nothing if that can't be recorded", async () => {
    const runs = [givenDigest(3), givenDigest(2), givenDigest(1)];
    const { state, removed } = stateOf(runs, { rollouts: await rolloutsIn('completed') });
    const recorded: unknown[] = [];
    await pruneRuns(state, cutoff(10), {
      record: async ({ removed: count, rollouts, covers }) => {
        recorded.push([count, rollouts, Object.keys(covers).length, removed.length]);
        return ok(null);
      },
    });
    expect(recorded).toEqual([
      [2, 0, 2, 0],
      [0, 1, 1, 2],
    ]);

    const other = stateOf(runs);
    const away = failed(problem('state', 'away'));
    expect(await pruneRuns(other.state, cutoff(10), { record: async () => away })).toEqual(away);
    expect(other.removed).toEqual([]);
  });

  it("continues after a page with runs that can't be read", async () => {
    const runs = Array.from({ length: 501 }, (_, index) => givenDigest(501 - index));
    const all = listing(runs);
    const { state } = stateOf(runs, {
      async listRuns(query) {
        const listed = await all(query);
        if (!listed.ok || query.before !== undefined) return listed;
        return ok(listed.value.slice(0, 499), [warning('journal', 'damaged')]);
      },
    });
    expect(await pruneRuns(state, cutoff(2000))).toMatchObject({
      value: { removed: 500, needed: 1, rollouts: 0 },
    });
  });

  it('ends if no run can be read at all', async () => {
    const damaged = Array.from({ length: 600 }, () => warning('journal', 'damaged'));
    const { state } = stateOf([], { listRuns: async () => ok([], damaged) });
    expect(await pruneRuns(state, cutoff(10))).toMatchObject({
      value: { removed: 0, needed: 0, rollouts: 0 },
    });
  });

  it("fails if the runs can't be listed or removed", async () => {
    const away = failed(problem('state', 'away'));
    const runs = [givenDigest(2), givenDigest(1)];
    for (const parts of [{ listRuns: async () => away }, { removeRuns: async () => away }])
      expect(await pruneRuns(stateOf(runs, parts).state, cutoff(10))).toEqual(away);
  });
});
