import { expect, onTestFinished, test } from 'vitest';
import type { JobHandler } from '../../../src/server/queue/queue.ts';
import type { JobParts } from '../../../src/server/queue/rules/job-parts.ts';
import type { ServerParts } from '../../../src/server/start/open-parts.ts';
import { type Reports, startWorker } from '../../../src/server/start/start-jobs.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { ada, givenAccount } from '../../given/store-records.ts';
import { startOnPglite } from '../../given/stores.ts';

test('the log reports the run that ended, even if the next one is already queued', async () => {
  const given = await startOnPglite();
  onTestFinished(() => given.stop());
  const { store } = given;
  await store.accounts.sync([givenAccount('berlin')]);
  const queueRun = () => store.runs.queue({ account: 'berlin', plan: null, by: ada, reason: null, steps: 1 });
  const ended = await queueRun();
  const handlers = new Map<string, JobHandler>();
  const queue = {
    work: async (name: string, _: number, handler: JobHandler) => void handlers.set(name, handler),
    // The end of a run queues a check, which may queue the next run before the end is reported.
    async send() {
      await queueRun();
      return 1;
    },
  };
  const lines: unknown[] = [];
  const log = (...line: readonly unknown[]) => void lines.push(line);
  // The run ends because its account is no longer configured.
  const settings = { accounts: [], notifications: [] };
  const parts = { queue, store, settings, log, clock: systemClock, isEmbedded: true, env: {} };
  await startWorker(parts as unknown as ServerParts, parts as unknown as JobParts, {
    metrics: {} as Reports['metrics'],
    labelOf: () => '',
    emit: () => {},
  });
  const { signal } = new AbortController();
  await handlers.get('run')?.({ key: 'berlin', attempt: 0, stopping: signal }, signal);
  expect(lines).toEqual([
    ['warn', 'the run of berlin ended: failed', expect.objectContaining({ run: ended?.id })],
  ]);
}, 60_000);
