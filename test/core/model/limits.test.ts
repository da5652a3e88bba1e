import { expect, it } from 'vitest';
import { defaultLimits, isTooMany, type Limit } from '../../../src/core/model/policy.ts';

const share = (percent: number): Limit => ({ kind: 'share', percent });

it.each<[boolean, Limit, number, number]>([
  [false, defaultLimits.missing, 0, 0],
  [false, defaultLimits.missing, 0, 1],
  [true, defaultLimits.missing, 1, 1],
  [false, defaultLimits.missing, 1, 2],
  [true, defaultLimits.missing, 2, 3],
  [false, defaultLimits.missing, 2, 10],
  [true, defaultLimits.missing, 3, 10],
  [true, share(0), 1, 1000],
  [false, share(100), 1, 1],
  [false, { kind: 'count', count: 2 }, 2, 2],
  [true, { kind: 'count', count: 1 }, 2, 9],
])('it is %s that a limit of %j is exceeded by %i of %i hosts', (exceeded, limit, count, total) => {
  expect(isTooMany(limit, count, total)).toBe(exceeded);
});
