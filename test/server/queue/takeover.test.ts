import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openQueue } from '../../../src/server/queue/open-queue.ts';
import { sharedPostgres } from '../../given/postgres.ts';

const server = sharedPostgres();

/** The heartbeat of a job, the time between two looks for lost ones, and some for a slow machine, in milliseconds. */
const mostMs = 10_000 + 1_000 + 6_000;

async function lineOf({ stdout }: ChildProcess, wanted: string): Promise<void> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes(wanted)) return;
  }
  throw new Error(`the worker ended before "${wanted}"`);
}

// They wait most of the time, so all of them run at once.
describe.concurrent('a run whose worker is lost', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'is continued by another one soon after %s',
    { timeout: 60_000 },
    async (signal) => {
      const url = server.createDatabase();
      const worker = spawn(process.execPath, [join(import.meta.dirname, 'queue-worker.ts'), url], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const started = lineOf(worker, 'runs berlin');
      const queue = await openQueue({ database: { url }, onFault: () => {} });
      try {
        await queue.send('run', ['berlin']);
        await started;
        worker.kill(signal);
        const lost = performance.now();
        const attempt = await new Promise<number>((resolve) => {
          void queue.work('run', 4, async (job) => resolve(job.attempt));
        });
        expect(attempt).toBe(1);
        expect(performance.now() - lost).toBeLessThan(mostMs);
      } finally {
        await queue.stop(1_000);
        worker.kill('SIGKILL');
        if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'close');
      }
    },
  );

  it('does not wait for the end of other runs, or behind new ones', { timeout: 60_000 }, async () => {
    const url = server.createDatabase();
    const worker = spawn(process.execPath, [join(import.meta.dirname, 'queue-worker.ts'), url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const started = lineOf(worker, 'runs lost-3');
    const queue = await openQueue({ database: { url }, onFault: () => {} });
    try {
      const lost = Array.from({ length: 4 }, (_, at) => `lost-${at}`);
      for (const run of lost) await queue.send('run', [run]);
      await started;
      const worked: string[] = [];
      const isFull = Promise.withResolvers<void>();
      const areContinued = Promise.withResolvers<void>();
      // None of these runs ends.
      await queue.work('run', 4, async ({ key }) => {
        worked.push(key);
        if (worked.length === 4) isFull.resolve();
        if (worked.length === 8) areContinued.resolve();
        await new Promise(() => {});
      });
      await queue.send(
        'run',
        Array.from({ length: 40 }, (_, at) => `new-${at}`),
      );
      await isFull.promise;
      worker.kill('SIGKILL');
      await areContinued.promise;
      expect(worked.slice(0, 4).every((key) => key.startsWith('new-'))).toBe(true);
      expect(new Set(worked.slice(4))).toEqual(new Set(lost));
    } finally {
      await queue.stop(1_000);
      worker.kill('SIGKILL');
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'close');
    }
  });

  it('is found and continued within 15 s, even after many crashes and with the rules of an earlier version', async () => {
    const url = server.createDatabase();
    const first = await openQueue({ database: { url }, onFault: () => {} });
    await first.stop(1_000);
    server.run(url, `update rampart_queue.queue set retry_backoff = true, retry_delay_max = 60`);
    const queue = await openQueue({ database: { url }, onFault: () => {} });
    try {
      await queue.send('run', ['berlin']);
      let attempts = 0;
      const fourth = new Promise<void>((resolve) => {
        void queue.work('run', 1, async () => {
          attempts += 1;
          if (attempts > 3) return resolve();
          throw new Error('the database crashed');
        });
      });
      await fourth;
      // The database's clock: when the job may be worked again after an attempt does not grow with the attempts.
      const [beat, delay, grows] = server
        .run(
          url,
          `select heartbeat_seconds, retry_delay, retry_backoff from rampart_queue.job where name = 'run.1'`,
        )
        .split('|');
      expect(grows).toBe('f');
      // The heartbeat, two looks for lost workers, the delay, and one poll.
      expect(Number(beat) + 2 * 1 + Number(delay)).toBeLessThanOrEqual(15);
    } finally {
      await queue.stop(1_000);
    }
  });

  it('keeps a full queue in order, adds nothing twice, and delays no other job', {
    timeout: 60_000,
  }, async () => {
    const queue = await openQueue({ database: { url: server.createDatabase() }, onFault: () => {} });
    const accounts = Array.from({ length: 20_000 }, (_, at) => `account-${at}`);
    const first = accounts.slice(0, 64);
    expect(await queue.send('check', first)).toBe(64);
    expect(await queue.send('check', accounts)).toBe(19_936);
    expect(await queue.send('check', accounts)).toBe(0);
    const { promise: hasStopped, resolve: stop } = Promise.withResolvers<void>();
    const checked: string[] = [];
    const isFull = new Promise<void>((resolve) => {
      void queue.work('check', 64, async ({ key }) => {
        if (checked.push(key) === 64) resolve();
        await hasStopped;
      });
    });
    await isFull;
    expect(new Set(checked)).toEqual(new Set(first));
    // The checks that are worked end only after these.
    const others = (['run', 'fetch', 'notify', 'tick'] as const).map(
      (name) => new Promise<string>((resolve) => void queue.work(name, 1, async ({ key }) => resolve(key))),
    );
    for (const name of ['run', 'fetch', 'notify', 'tick'] as const) await queue.send(name, [name]);
    expect(await Promise.all(others)).toEqual(['run', 'fetch', 'notify', 'tick']);
    stop();
    await queue.stop(5_000);
  });
});
