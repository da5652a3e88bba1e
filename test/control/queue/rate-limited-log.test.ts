import { expect, it } from 'vitest';
import { createRateLimitedLog } from '../../../src/control/queue/rate-limited-log.ts';

it('a database that is away is logged once in ten seconds, with how often it failed', () => {
  let now = 0;
  const lines: string[] = [];
  const log = createRateLimitedLog(
    (message, repeated) => void lines.push(`${message} ${repeated}`),
    () => now,
  );
  for (; now < 25_000; now += 1_000) log(`connection refused (Queue: check.1, Worker: ${now})`);
  log('another failure');
  expect(lines).toEqual([
    'connection refused 0',
    'connection refused 9',
    'connection refused 9',
    'another failure 0',
  ]);
});
