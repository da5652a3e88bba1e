import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineEvent } from '../../../../src/accounts/engine/engine-parts.ts';
import type { StepOutcome } from '../../../../src/core/model/run-event.ts';
import type { HistoryCounts } from '../../../../src/server/accounts/records/history.ts';
import type { RunChange } from '../../../../src/server/runs/records/runs.ts';
import { createRunRecorder, hostsChangedBy } from '../../../../src/server/runs/rules/run-record.ts';
import type { Store } from '../../../../src/server/store/open-store.ts';
import { emptyPlan } from '../../../given/report-plans.ts';
import { deleteStep, moveStep, renameStep } from '../../../given/steps.ts';

const steps = [
  renameStep('s1', { id: 1 }, 'NEW-1'),
  moveStep('s2', [2, 3], 7),
  deleteStep('s3', [10, 11, 12, 13, 14]),
  deleteStep('s4', [15, 16, 17]),
  deleteStep('s5', [18, 19]),
];

const run = { id: 'r1', account: 'a', journal: null, progress: {} };

const givenStore = (parts: object, undo = () => {}): Store => {
  const transaction = async (work: (own: unknown) => Promise<unknown>) => {
    try {
      return await work(parts);
    } catch (error) {
      undo();
      throw error;
    }
  };
  return { ...parts, transaction } as unknown as Store;
};

/** What a note returns while the run is in progress. */
const open = { journal: null };

type Recorder = ReturnType<typeof createRunRecorder>;
const recorderOf = (store: Store, parts: Partial<Parameters<typeof createRunRecorder>[0]> = {}) =>
  createRunRecorder({
    store,
    run,
    plan: { ...emptyPlan(), steps },
    now: () => 0,
    redact: (text) => text,
    ...parts,
  });
const hearEnd = (recorder: Recorder, step: string, kind: string, outcome: StepOutcome, more = {}) =>
  recorder.hear({ type: 'step_end', step, kind, outcome, done: 1, of: steps.length, ...more });

const none = { in_doubt: 0, hosts_in_doubt: 0 };

test('the progress of a run counts the hosts of a batch, only failed ones as failed, and those in doubt separately', async () => {
  const written: RunChange[] = [];
  const history: HistoryCounts[] = [];
  const runs = {
    log: async () => {},
    note: async (_: string, change: RunChange) => {
      written.push(change);
      return open;
    },
  };
  const count = async (_: string, counts: HistoryCounts) => void history.push(counts);
  const recorder = recorderOf(givenStore({ runs, history: { count } }));
  const byKind = () => recorder.progress()['by_kind'];
  expect(byKind()).toEqual([
    { ...none, kind: 'rename', total: 1, done: 0, failed: 0, hosts: 1, hosts_done: 0, hosts_failed: 0 },
    { ...none, kind: 'move', total: 1, done: 0, failed: 0, hosts: 2, hosts_done: 0, hosts_failed: 0 },
    { ...none, kind: 'delete', total: 3, done: 0, failed: 0, hosts: 10, hosts_done: 0, hosts_failed: 0 },
  ]);
  hearEnd(recorder, 's1', 'rename', 'failed');
  hearEnd(recorder, 's2', 'move', 'already');
  hearEnd(recorder, 's3', 'delete', 'done');
  hearEnd(recorder, 's4', 'delete', 'failed', { failedHosts: 1 });
  hearEnd(recorder, 's5', 'delete', 'unknown');
  const ended = [
    { ...none, kind: 'rename', total: 1, done: 0, failed: 1, hosts: 1, hosts_done: 0, hosts_failed: 1 },
    { ...none, kind: 'move', total: 1, done: 1, failed: 0, hosts: 2, hosts_done: 2, hosts_failed: 0 },
    {
      kind: 'delete',
      total: 3,
      done: 1,
      failed: 1,
      in_doubt: 1,
      hosts: 10,
      hosts_done: 7,
      hosts_failed: 1,
      hosts_in_doubt: 2,
    },
  ];
  expect(byKind()).toEqual(ended);
  await recorder.flush();
  expect(written).toMatchObject([
    { steps: { total: 5, done: 2, failed: 2, in_doubt: 1 }, progress: { by_kind: ended } },
  ]);
  // The two hosts of the move had these values before the run; metrics count what the page of the run shows as done.
  expect(history).toEqual([{ changes: 7, rateLimited: 0 }]);
  expect(hostsChangedBy({ progress: recorder.progress() })).toEqual(
    new Map([
      ['move', 2],
      ['delete', 7],
    ]),
  );
  expect(hostsChangedBy({ progress: {} })).toEqual(new Map());
});

test('the history of a run counts each change once, even if its end comes while its progress is written', async () => {
  const history: number[] = [];
  const written = Promise.withResolvers<void>();
  const runs = { log: async () => {}, note: () => written.promise.then(() => open) };
  const count = async (_: string, { changes }: HistoryCounts) => void history.push(changes ?? 0);
  const recorder = recorderOf(givenStore({ runs, history: { count } }));
  hearEnd(recorder, 's1', 'rename', 'done');
  const first = recorder.flush();
  hearEnd(recorder, 's3', 'delete', 'done', { done: 2 });
  const last = recorder.flush();
  written.resolve();
  await Promise.all([first, last]);
  expect(history.reduce((sum, changes) => sum + changes, 0)).toBe(6);
});

test('the progress of a run shows what its steps wait for and what limits the pace, without secrets', () => {
  const recorder = recorderOf({} as Store, {
    plan: {
      ...emptyPlan(),
      steps: [
        renameStep('s1', { id: 1, name: 'the-key' }, 'C'),
        renameStep('s2', { id: 2, name: 'A' }, 'the-key', { after: ['s1'] }),
        deleteStep('s3', [10]),
      ],
    },
    now: () => Date.UTC(2026, 10, 23, 8),
    redact: (text) => text.replaceAll('the-key', '***'),
  });
  recorder.paced(() => [
    {
      action: 'rename',
      name: 'renameHost',
      waiting: 1,
      allowed: 5,
      limit: 4.8,
      bound: { kind: 'refusal', until: Date.UTC(2026, 10, 23, 8, 1) },
    },
  ]);
  recorder.hear({ type: 'step_start', step: 's1', kind: 'rename', hosts: 1 });
  const progress = recorder.progress();
  expect(JSON.stringify(progress)).not.toContain('the-key');
  expect(progress).toMatchObject({
    pace: {
      rate: 0,
      limit: 4.8,
      bound: { action: 'rename', kind: 'refusal', allowed: 5, until: '2026-11-23T08:01:00.000Z' },
    },
    waiting: [
      { title: '1 rename', why: 'back-off', until: '2026-11-23T08:01:00.000Z' },
      { step: 's2', on: 's1', why: 'step', for: 'the name ***, which step s1 frees' },
      { title: '1 deletion', why: 'phase', for: 'the 2 steps before it' },
    ],
  });
});

test('the history of a run counts each change once, whenever its workers are killed', async () => {
  const sizes = { s1: 1, s2: 2, s3: 5, s4: 3, s5: 2 };
  // Each worker does some steps, writes after some of them, and is killed.
  const workers = fc.array(fc.record({ steps: fc.nat(4), writes: fc.nat(4), fails: fc.boolean() }), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(workers, async (killed) => {
      let counted = 0;
      let progress: Readonly<Record<string, unknown>> = {};
      let done = 0;
      let failsAt = -1;
      let before = { counted, progress };
      const store = givenStore(
        {
          runs: {
            log: async () => {},
            note: async (_: string, change: RunChange) => {
              before = { counted, progress };
              progress = change.progress ?? progress;
              return open;
            },
          },
          history: {
            async count(_: string, { changes = 0 }) {
              counted += changes;
              failsAt -= 1;
              if (failsAt === 0) throw new Error('the database went away');
            },
          },
        },
        () => ({ counted, progress } = before),
      );
      for (const [index, worker] of [...killed, { steps: 5, writes: 5, fails: false }].entries()) {
        failsAt = worker.fails ? 1 : -1;
        const journals = Array.from({ length: index }, (_, number) => `journal-${number}`);
        const recorder = recorderOf(store, { run: { ...run, progress: { ...progress, journals } } });
        const last = Math.min(steps.length, done + worker.steps);
        for (const [number, { id, kind }] of steps.slice(0, last).entries()) {
          hearEnd(recorder, id, kind, number < done ? 'already' : 'done');
          if (number < done + worker.writes) await recorder.flush().catch(() => {});
        }
        done = last;
      }
      expect(counted).toBe(Object.values(sizes).reduce((sum, size) => sum + size, 0));
    }),
  );
});

test.each([
  ['has ended', undefined, 0],
  ['has another worker', { journal: 'journal-2' }, 0],
  ['is still its own', { journal: 'journal-1' }, 1],
])(
  'a worker that wakes after a freeze counts changes of its run only if the run %s',
  async (_, noted, expected) => {
    let counted = 0;
    let lines = 0;
    const runs = { note: async () => noted, log: async () => void (lines += 1) };
    const count = async (_: string, { changes = 0 }: HistoryCounts) => void (counted += changes);
    const recorder = recorderOf(givenStore({ runs, history: { count } }));
    recorder.hear({ type: 'run_start', runId: 'journal-1' } as EngineEvent);
    hearEnd(recorder, 's1', 'rename', 'done');
    await recorder.flush();
    expect([counted, lines]).toEqual([expected, expected]);
  },
);
