/**
 * A worker in a separate process, for tests that kill it: prints a line when it gets a run, and works on it until the
 * process ends.
 *
 *     node queue-worker.ts URL
 */
import { openQueue } from '../../../src/server/queue/open-queue.ts';

const queue = await openQueue({ database: { url: process.argv[2] ?? '' }, onFault: () => {} });
await queue.work('run', 4, async ({ key }) => {
  console.log(`runs ${key}`);
  await new Promise(() => {});
});
console.log('ready');
