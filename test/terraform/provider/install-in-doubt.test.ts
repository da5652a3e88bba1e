import { describe, expect, it } from 'vitest';
import { type RecordValue, unknownNotNull } from '../../../src/terraform/protocol/value/value.ts';
import { inDoubt } from './given/install-memory.ts';
import { type CoreOptions, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const hour = 3_600_000;
const stored = { id: '1', host_id: '1', name: 'A', online: true, on_destroy: 'forget', status: 'settled' };
const config = { host_id: '1', antivirus: 'installed' };
const planned = { ...stored, ...config, status: unknownNotNull };

/** One host, and the calls for the resource that manages its anti-virus. */
async function host({
  online = true,
  installed = false,
  ...options
}: CoreOptions & { online?: boolean; installed?: boolean } = {}) {
  const hosts = [{ id: '1', name: 'A', online, antivirus: { installed, supported: true } }];
  const core = await rampartCore({ hosts }, options);
  const { plan, apply, read } = resourceCalls(core, 'rampart_host');
  return {
    ...core,
    plan,
    read,
    planUpdate: async (memory: object) => (await plan({ prior: stored, config, private: memory })).warnings,
    update: (memory: object) => apply({ prior: stored, planned, config, private: memory }),
    /** Creates the resource, as for a host that is adopted. */
    adopt: (more: RecordValue = {}) =>
      apply({ prior: null, planned: { ...planned, ...more }, config: { ...config, ...more } }),
  };
}

/** What a plan remembers, without what it shows of the host. */
function rememberedBy({ private: kept }: { readonly private: object | null }) {
  const { shown: _, ...remembered } = (kept ?? {}) as { readonly shown?: unknown };
  return remembered;
}

const refuse = (action: 'installAntivirus' | 'renameHost' | 'refreshAntivirusStatus', status: number) =>
  ({ faults: [{ action, nth: 1, effect: { kind: 'status', status } }] }) as const;
const unread = { action: 'listAntivirusDetails', effect: { kind: 'status', status: 403 } } as const;

describe('an install of rampart_host that nobody acknowledged', () => {
  it('is an error that it may have been requested, and is remembered', async () => {
    const done = await (await host(refuse('installAntivirus', 500))).update({});
    expect(done).toMatchObject({
      state: { antivirus: null },
      errors: [expect.stringContaining('may have been requested')],
      memory: { installs: [{ hostId: '1', state: 'in-doubt' }] },
      calls: ['installAntivirus'],
    });
    const { installs } = done.memory as ReturnType<typeof inDoubt>;
    expect(Date.parse(installs[0]?.requestedAt ?? '')).toBeGreaterThan(Date.now() - hour);
  });

  it('is not requested again: the plan announces a refresh of the host, and the apply sends it', async () => {
    const { planUpdate, update } = await host();
    const memory = inDoubt(Date.now() - hour);
    expect(await planUpdate(memory)).toEqual([
      expect.stringContaining('the apply sends one call that asks the host to report'),
    ]);
    expect(await update(memory)).toMatchObject({
      state: { antivirus: null },
      errors: [expect.stringContaining('may have been requested')],
      memory: { installs: [{ ...memory.installs[0], refreshedAt: expect.any(String) }] },
      calls: ['refreshAntivirusStatus'],
    });
  });

  it('waits for an offline host, and for one that was refreshed recently', async () => {
    const asked = inDoubt(Date.now() - 3 * hour, Date.now() - hour);
    for (const [online, memory] of [
      [false, inDoubt(Date.now() - hour)],
      [true, asked],
    ] as const) {
      const done = await (await host({ online })).update(memory);
      expect(done).toMatchObject({ calls: [], memory, errors: [expect.any(String)] });
    }
  });

  it.each([
    ['a refreshed host has had its time', (now: number) => inDoubt(now - 9 * hour, now - 2 * hour)],
    ['the window has passed', (now: number) => inDoubt(now - 24 * hour)],
    ['it is dated in the future', (now: number) => inDoubt(now + hour)],
  ])('is requested again if %s', async (_, ages) => {
    const { update } = await host({ switches: { installTakesMs: hour } });
    expect(await update(ages(Date.now()))).toMatchObject({
      state: { antivirus: 'installed' },
      errors: [],
      memory: { installs: [{ state: 'accepted' }] },
      calls: ['installAntivirus'],
    });
  });

  it('is forgotten if the service refused it, or if someone else has installed it since the plan', async () => {
    expect(await (await host(refuse('installAntivirus', 400))).update({})).toMatchObject({
      state: { antivirus: null },
      errors: [expect.any(String)],
      memory: null,
    });
    expect(await (await host({ installed: true })).update({})).toMatchObject({
      state: { antivirus: 'installed' },
      errors: [],
      memory: null,
      calls: [],
    });
  });

  it("stays in doubt while its list can't be read, or does not show that the host supports it", async () => {
    const memory = inDoubt(Date.now() - hour);
    const absent = { ...unread, effect: { kind: 'missing-hosts', ids: ['1'] } } as const;
    for (const fault of [unread, absent]) {
      const done = await (await host({ faults: [fault] })).update(memory);
      expect(done).toMatchObject({ state: { antivirus: null }, memory, calls: [] });
      expect(done.errors).toEqual([expect.not.stringContaining('unexpectedly')]);
    }
  });

  it('counts a refresh only if the host received it', async () => {
    const memory = inDoubt(Date.now() - hour);
    const failing = await host({
      faults: [{ action: 'refreshAntivirusStatus', effect: { kind: 'status', status: 500 } }],
    });
    const leaving = await host();
    expect(await leaving.planUpdate(memory)).toHaveLength(1);
    leaving.emulator.edit({ kind: 'online', id: '1', online: false });
    for (const { update } of [failing, leaving]) {
      const done = await update(memory);
      expect(done.calls).toContain('refreshAntivirusStatus');
      expect(done.errors).toEqual([expect.stringContaining('may have been requested')]);
      expect(done.memory).toEqual(memory);
    }
  });

  it('is settled once a read shows the install', async () => {
    const { update } = await host({ installed: true });
    const settled = { state: { antivirus: 'installed' }, errors: [], memory: null, calls: [] };
    expect(await update(inDoubt(Date.now() - hour))).toMatchObject(settled);
  });
});

describe('an install in doubt while rampart_host adopts its host', () => {
  it('is an error and is stored, so that the next plan shows it and the next apply requests nothing', async () => {
    const { adopt, read, planUpdate, update } = await host(refuse('installAntivirus', 500));
    const done = await adopt();
    expect(done).toMatchObject({
      state: { antivirus: 'installed', status: 'in-doubt' },
      errors: [expect.stringContaining('may have been requested')],
      memory: { installs: [{ hostId: '1', state: 'in-doubt' }] },
      calls: ['installAntivirus'],
    });
    const memory = done.memory ?? {};
    const later = await read(done.state ?? {}, memory);
    expect(later).toMatchObject({ state: { antivirus: null, status: 'in-doubt' }, memory });
    expect((await planUpdate(memory)).join()).toContain('may have been requested');
    expect((await update(memory)).calls).toEqual(['refreshAntivirusStatus']);
  });

  it("can't coincide with an error that stores nothing, because the install comes after the rename", async () => {
    const { adopt } = await host(refuse('renameHost', 400));
    const refused = { state: null, errors: [expect.any(String)], calls: ['renameHost'] };
    expect(await adopt({ name: 'B' })).toMatchObject(refused);
  });

  it('is an error without a state if the service refused the install', async () => {
    const { adopt } = await host(refuse('installAntivirus', 400));
    const refused = { state: null, errors: [expect.any(String)], memory: null, calls: ['installAntivirus'] };
    expect(await adopt()).toMatchObject(refused);
  });

  it('is remembered by a replacement with the same host, but not with another host', async () => {
    const { plan } = await host();
    const memory = inDoubt(Date.now() - hour);
    const replace = async (remembered: object) => {
      const planned = await plan({ config, private: remembered });
      expect(planned.errors).toEqual([]);
      return rememberedBy(planned);
    };
    const first = await plan({ prior: stored, config, private: memory });
    expect(await replace(first.private ?? {})).toEqual(memory);
    const memoryOfOther = { installs: memory.installs.map((each) => ({ ...each, hostId: '2' })) };
    const replaces = (hostId: string) => ({ replaces: { hostId, onDestroy: 'forget' } });
    for (const harmless of [replaces('1'), { ...memoryOfOther, ...replaces('2') }])
      expect(await replace(harmless)).toEqual({});
  });

  it('is remembered by the successor of a tainted resource, whose private state only a refresh gets', async () => {
    const { adopt, read, plan } = await host(refuse('installAntivirus', 500));
    const done = await adopt();
    await read(done.state ?? {}, done.memory ?? {});
    expect(rememberedBy(await plan({ config }))).toEqual(done.memory);
  });
});

describe('the status of rampart_host after an apply is settled only if a read showed it', () => {
  const lost = { action: 'installAntivirus', nth: 1, effect: { kind: 'status', status: 500 } } as const;
  const unreadAfter = { ...unread, nth: [2, 3, 4, 5] };

  it.each([
    ['an accepted install that no read shows yet', [], 'installing'],
    ["an accepted install whose list can't be read", [unreadAfter], 'installing'],
    ["a lost reply to an install, whose list can't be read", [lost, unreadAfter], 'in-doubt'],
  ])('%s', async (_what, faults, status) => {
    const { adopt } = await host({ faults, switches: { installTakesMs: hour } });
    const done = await adopt();
    expect(done.state).toMatchObject({ status });
    expect(Object.keys(done.memory ?? {})).toHaveLength(1);
  });
});
