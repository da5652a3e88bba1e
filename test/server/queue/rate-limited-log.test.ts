import { expect, it } from 'vitest';
import { createRateLimitedLog } from '../../../src/server/queue/rate-limited-log.ts';

it('an unavailable database is logged once in ten seconds, with the number of failures', () => {
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

it('a log of failures remembers at most fifty kinds, and logs again after exactly ten seconds', () => {
  let now = 0;
  const lines: string[] = [];
  const log = createRateLimitedLog(
    (message) => void lines.push(message),
    () => now,
  );
  for (let kind = 0; kind < 50; kind += 1) log(`failure ${kind}`);
  log('failure 0');
  expect(lines).toHaveLength(50);
  log('failure 50');
  log('failure 0');
  expect(lines.slice(50)).toEqual(['failure 50', 'failure 0']);
  now = 9_999;
  log('failure 0');
  now = 10_000;
  log('failure 0');
  expect(lines.slice(52)).toEqual(['failure 0']);
});
