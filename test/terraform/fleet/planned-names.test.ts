import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { createPlannedNames, type PlannedNamesOptions } from '../../../src/terraform/fleet/planned-names.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';

/** Hosts 1 to n, of which host i is named Hi. */
function planning(options: Partial<PlannedNamesOptions> = {}) {
  const clock = createVirtualClock(0, { auto: true });
  const names = createPlannedNames({ clock, isShared: false, ...options });
  const fleet = givenFleet(
    Array.from({ length: 40 }, (_, index) => ({ id: index + 1, name: `H${index + 1}` })),
  );
  const { signal } = new AbortController();
  const host = (id: number) => fleet.byId(hostId(id)) ?? expect.fail(`host ${id}`);
  /** The plan of a host that needs the name of another one. */
  const needs = (id: number, owner: number, stop = signal, isShown = true) => {
    const leave = names.enter();
    names.releases(hostId(id));
    const need = { hostId: hostId(id), to: `H${owner}`, host: host(id), owners: [host(owner)], isShown };
    return names.needs(need, stop).finally(leave);
  };
  const messages = async (...plans: readonly ReturnType<typeof needs>[]) =>
    (await Promise.all(plans)).flat().map(({ message }) => message);
  return { clock, names, needs, messages };
}

describe('a name that a plan needs', () => {
  it('is reported if no other call releases it', async () => {
    const { needs, messages, clock } = planning();
    expect(await messages(needs(1, 2))).toEqual([
      'host 1 ("H1") can\'t become "H2": host 2 has the name, and nothing in this plan renames or deletes host 2',
    ]);
    expect(clock.now()).toBe(1000);
  });

  it('is reported by another call if Terraform does not show the warnings of its own', async () => {
    const { needs } = planning();
    const { signal } = new AbortController();
    const [unseen, seen] = await Promise.all([needs(1, 2, signal, false), needs(4, 3)]);
    expect(unseen).toEqual([]);
    expect(seen.map(({ hostIds }) => hostIds?.[0])).toEqual(['1', '4']);
  });

  it('is not reported if a later call renames or deletes its host', async () => {
    const { clock, names, needs, messages } = planning();
    const later = async () => {
      await clock.sleep(600);
      names.enter()();
      await clock.sleep(600);
      names.releases(hostId(3));
    };
    const [found] = await Promise.all([messages(needs(1, 2), needs(2, 1), needs(4, 3)), later()]);
    expect(found).toEqual([]);
    expect(clock.now()).toBeLessThan(1300);
  });

  it('is not reported while another call of the plan is still open', async () => {
    const { clock, names, needs, messages } = planning();
    const leave = names.enter();
    const slow = async () => {
      await clock.sleep(5000);
      names.releases(hostId(2));
      leave();
    };
    const [found] = await Promise.all([messages(needs(1, 2)), slow()]);
    expect(found).toEqual([]);
  });

  it('is reported once, by one call for all, and again only for later calls', async () => {
    const { needs, messages } = planning();
    const [first, ...others] = await Promise.all([needs(1, 10), needs(2, 11), needs(3, 12)]);
    expect(first).toHaveLength(3);
    expect(others.flat()).toEqual([]);
    expect(await messages(needs(4, 13))).toHaveLength(1);
  });

  it('says that a host which only leaves the state keeps its name', async () => {
    const { names, needs, messages } = planning();
    names.forgets(hostId(2));
    expect(await messages(needs(1, 2))).toEqual([
      expect.stringContaining('this plan removes host 2 from the state only'),
    ]);
  });

  it('delays a plan with -parallelism=1 at most three times', async () => {
    const { clock, needs } = planning();
    for (let id = 1; id < 20; id += 1) await needs(id, id + 1);
    expect(clock.now()).toBeLessThanOrEqual(3000);
  });

  it('is not reported in an apply, or after an interrupt', async () => {
    const { names, needs, messages } = planning();
    const interrupt = new AbortController();
    interrupt.abort();
    expect(await messages(needs(1, 2, interrupt.signal))).toEqual([]);
    const waiting = messages(needs(3, 4));
    names.applying();
    expect(await waiting).toEqual([]);
    expect(await messages(needs(5, 6))).toEqual([]);
  });
});

describe('more names than Terraform changes at once', () => {
  const chain = (count: number, options: Partial<PlannedNamesOptions> = {}) => {
    const { names, needs, messages } = planning(options);
    names.releases(hostId(count + 1));
    return messages(...Array.from({ length: count }, (_, index) => needs(index + 1, index + 2)));
  };

  it('are reported with the parallelism that an apply without the record needs', async () => {
    expect(await chain(30)).toEqual([
      '31 hosts swap their names, which is more than Terraform changes at once by default',
    ]);
  });

  it('are not reported up to that number, or if all machines share the record', async () => {
    expect(await chain(9)).toEqual([]);
    expect(await chain(30, { isShared: true })).toEqual([]);
  });
});
