import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import { SuspectHosts } from '../../../src/service/inventory/suspect-hosts.ts';

/** Requests all hosts from a service that refuses some of them, and more than a certain number at a time. */
function askForAll(hosts: number, bad: ReadonlySet<HostId>, most: number) {
  const suspects = new SuspectHosts();
  const refused: HostId[] = [];
  let queue = Array.from({ length: hosts }, (_, index) => String(index + 1) as HostId);
  let ask = 1_000;
  let requests = 0;
  const drop = (ids: readonly HostId[]) => {
    queue = queue.filter((id) => !ids.includes(id));
  };
  for (; queue.length > 0 && requests < 10_000; requests += 1) {
    const batch = suspects.next(queue, ask);
    if (batch.length > most || batch.some((id) => bad.has(id))) {
      const alone = suspects.refused(batch);
      refused.push(...alone);
      drop(alone);
      continue;
    }
    const told = suspects.accepted(batch);
    refused.push(...told.refused);
    drop([...batch, ...told.refused]);
    ask = told.most ?? ask;
  }
  return { refused: new Set(refused), requests, left: queue.length };
}

test('finds exactly the hosts that are refused, for any maximum of the service', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 400 }),
      (hosts, picks, most) => {
        const bad = new Set(picks.filter((id) => id <= hosts).map((id) => String(id) as HostId));
        const { refused, left } = askForAll(hosts, bad, most);
        expect(left).toBe(0);
        expect(refused).toEqual(bad);
      },
    ),
  ));

test('two refused hosts of 200 cost at most 21 requests, at any position', () => {
  let worst = 0;
  for (let first = 1; first <= 200; first += 7) {
    for (let second = first + 1; second <= 200; second += 11) {
      const bad = new Set([String(first), String(second)] as HostId[]);
      const { requests, refused } = askForAll(200, bad, 1_000);
      expect(refused).toEqual(bad);
      worst = Math.max(worst, requests);
    }
  }
  expect(worst).toBeLessThanOrEqual(21);
});

test('the maximum number of hosts is learned once', () => {
  const { requests } = askForAll(3_000, new Set(), 400);
  expect(requests).toBeLessThanOrEqual(3_000 / 250 + 4);
});
