import type { Script } from './script.ts';

const hourMs = 3_600_000;
const accounts = 20;

/** Many days of a cluster in which nothing fails: each hour, a commit renames a host of the next account. */
export function steadyScript(days: number): Script {
  const hours = Math.ceil(days * 24);
  return {
    seed: 0,
    accounts: Array.from({ length: accounts }, (_, at) => ({
      name: `account-${at}`,
      mode: 'correct',
      hosts: 6,
      required: 1,
      notAuthor: false,
      mostRenames: 100,
    })),
    machines: 2,
    cadenceMs: hourMs,
    tickMs: 60_000,
    latencyMs: 0,
    acts: Array.from({ length: hours }, (_, hour) => ({
      at: hour * hourMs + 1,
      act: {
        kind: 'commit',
        account: `account-${hour % accounts}`,
        author: 'ada',
        hosts: [{ id: '1', name: `hour-${hour}` }],
      },
    })),
    endsAt: hours * hourMs,
  };
}
