import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import { onceAMinute } from '../../../src/service/emulator/limiter.ts';
import { hostId } from '../../given/fleet.ts';
import { type FleetWorldOptions, fleetWorld, inParallel, numbered } from './fleet-world.ts';

type MayEndUnread = 'first' | 'last' | 'never';

/** One operation of Terraform: a change of one host, which ends when it is confirmed. */
function given(options: FleetWorldOptions) {
  const world = fleetWorld({ limits: { listHostsWithGroups: onceAMinute }, ...options });
  const { coordinator } = world;
  const change =
    (id: number, mayEndUnread: MayEndUnread = 'last', { signal } = new AbortController()) =>
    async () => {
      const leave = coordinator.enter(signal);
      const host = hostId(id);
      const ended = await (mayEndUnread === 'never'
        ? coordinator.remove(host, { signal })
        : coordinator.rename(host, `NEW-${id}`, { signal }));
      const confirmed = await coordinator.confirm([host], { signal, mayEndUnread });
      leave();
      return { id, isVerified: ended.ok && confirmed.isVerified, problems: confirmed.problems };
    };
  const lists = () =>
    world.emulator.requests.filter(({ action, status }) => action === 'listHostsWithGroups' && status === 200)
      .length;
  const numbers = Array.from({ length: options.hosts.length }, (_, index) => index + 1);
  return { ...world, change, lists, numbers };
}

const messages = (ends: readonly { readonly problems: readonly { readonly message: string }[] }[]) =>
  ends.flatMap(({ problems }) => problems.map(({ message }) => message));
const lie = (...nth: readonly number[]): readonly FaultRule[] => [
  { action: ['renameHost', 'deleteHosts'], nth, effect: { kind: 'nothing-done' } },
];

describe('the list that verifies the writes of an apply', () => {
  it('is shared by operations that Terraform runs at once, and each of them waits for it', async () => {
    const { change, lists, numbers } = given({ hosts: numbered(8) });
    const ends = await Promise.all(numbers.map((id) => change(id)()));
    expect(ends.every(({ isVerified }) => isVerified)).toBe(true);
    expect([messages(ends), lists()]).toEqual([[], 2]);
  });

  it.each([
    ['changes of a thousand hosts, ten at a time', 1000, 10, 2],
    ['changes of sixty hosts, fifty at a time', 60, 50, 2],
    ['changes of six hosts, two at a time: Terraform may be able to start more', 6, 2, 4],
    ['changes of three hosts, one at a time', 3, 1, 4],
  ])('for %s', async (_what, count, parallelism, most) => {
    const { change, lists, numbers, names } = given({ hosts: numbered(count) });
    const ends = await inParallel(
      parallelism,
      numbers.map((id) => change(id)),
    );
    expect(messages(ends)).toEqual([]);
    expect(Object.values(names())).toEqual(numbers.map((id) => `NEW-${id}`));
    expect(lists()).toBeLessThanOrEqual(most);
    expect(ends.some(({ isVerified }) => isVerified)).toBe(true);
  });

  it('fails the operation of the host that it does not show, and no other', async () => {
    const { change, numbers } = given({ hosts: numbered(5), faults: lie(4) });
    const ends = await Promise.all(numbers.map((id) => change(id)()));
    const wrong = ends.filter(({ problems }) => problems.length > 0);
    expect(messages(wrong)).toEqual([`host ${wrong[0]?.id} still needs: the name "NEW-${wrong[0]?.id}"`]);
  });

  it('reports a change of an operation that has ended to one that waits', async () => {
    const { change, numbers, names } = given({ hosts: numbered(40), faults: lie(2, 21) });
    const ends = await inParallel(
      10,
      numbers.map((id) => change(id)),
    );
    const left = Object.entries(names()).flatMap(([id, name]) => (name === `h${id}` ? [id] : []));
    expect(left).toHaveLength(2);
    expect(messages(ends).toSorted()).toEqual(
      left.map((id) => `host ${id} still needs: the name "NEW-${id}"`).toSorted(),
    );
  });

  it('is awaited by every deletion, however many Terraform starts', async () => {
    const { change, numbers } = given({ hosts: numbered(30), faults: lie(1) });
    const ends = await inParallel(
      12,
      numbers.map((id) => change(id, 'never')),
    );
    expect(ends.every(({ isVerified }) => isVerified)).toBe(true);
    expect(messages(ends)).toEqual(ends.slice(0, 12).map(({ id }) => `host ${id} still needs: its deletion`));
  });

  it('is not needed by an operation that sent nothing, or whose change a list has shown', async () => {
    const { coordinator, change, lists } = given({ hosts: numbered(2) });
    const { signal } = new AbortController();
    const options = { signal, mayEndUnread: 'last' } as const;
    expect(await coordinator.confirm([hostId(1)], options)).toEqual({ isVerified: true, problems: [] });
    await change(1)();
    expect(lists()).toBe(2);
    expect(await coordinator.confirm([hostId(1)], options)).toEqual({ isVerified: true, problems: [] });
    expect(lists()).toBe(2);
  });

  it("fails every operation that waits if it can't be read", async () => {
    const { change, numbers } = given({
      hosts: numbered(3),
      faults: [{ action: 'listHostsWithGroups', nth: 2, effect: { kind: 'status', status: 403 } }],
    });
    const ends = await Promise.all(numbers.map((id) => change(id)()));
    expect(ends.map(({ isVerified }) => isVerified)).toEqual([false, false, false]);
    for (const message of messages(ends)) expect(message).toContain('they are not verified because the list');
  });

  it('is not awaited after an interrupt, which is an error of the operation', async () => {
    const { change, lists, clock } = given({ hosts: numbered(1) });
    const controller = new AbortController();
    const ending = change(1, 'last', controller)();
    await clock.sleep(1000);
    controller.abort();
    expect(messages([await ending])).toEqual(['the change of host 1 was sent, but it is not verified']);
    expect(lists()).toBe(1);
  });
});
