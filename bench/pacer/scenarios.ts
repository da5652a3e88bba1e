import { fixedWindow, type Limiter, slidingWindow, tokenBucket } from './limiter.ts';

export interface Scenario {
  readonly name: string;
  readonly calls: number;
  /** The goal is 95 % use with 1 % refused; elsewhere it should be close to the best of the others. */
  readonly oneSecond: boolean;
  limiter(): Limiter;
}

const fifty = () => 50;
const fallsAndRises = (now: number) => (now >= 60_000 && now < 120_000 ? 20 : 50);

export const scenarios: readonly Scenario[] = [
  { name: 'bucket of 50/s, burst 10', calls: 10_000, oneSecond: true, limiter: () => tokenBucket(10, fifty) },
  { name: 'bucket of 50/s, burst 50', calls: 10_000, oneSecond: true, limiter: () => tokenBucket(50, fifty) },
  { name: '50 in each second', calls: 10_000, oneSecond: true, limiter: () => fixedWindow(50, 1000) },
  { name: '50 in any second', calls: 10_000, oneSecond: true, limiter: () => slidingWindow(50, 1000) },
  { name: '3,000 in each minute', calls: 10_000, oneSecond: false, limiter: () => fixedWindow(3000, 60_000) },
  {
    name: '1 in any minute (60 calls)',
    calls: 60,
    oneSecond: false,
    limiter: () => slidingWindow(1, 60_000),
  },
  {
    name: '50/s, 20/s, 50/s (burst 10)',
    calls: 10_000,
    oneSecond: false,
    limiter: () => tokenBucket(10, fallsAndRises),
  },
];

export const latenciesMs: readonly number[] = [30, 100, 400, 1000];
