import { describe, expect, it } from 'vitest';
import {
  type RecordValue,
  unknownNotNull,
  unknownValue,
} from '../../../src/terraform/protocol/value/value.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { inDoubt } from './given/install-memory.ts';
import { emptyOf, type RampartCore, rampartCore } from './given/rampart-core.ts';

const hour = 3_600_000;
const type = 'rampart_host';
const stored = {
  id: '1',
  host_id: '1',
  name: 'A',
  online: true,
  on_destroy: 'forget',
  status: 'settled',
};
const fleet = (online = true, installed = false) => ({
  hosts: [{ id: '1', name: 'A', online, antivirus: { installed, supported: true } }],
});
const full = (record: RecordValue) => ({ ...emptyOf(hostSchema), ...record });
const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const config = { host_id: '1', antivirus: 'installed' };

/** The private data without what describes the plan. */
function storedIn(bytes: Uint8Array) {
  const { plan: _, shown: __, ...stored } = JSON.parse(new TextDecoder().decode(bytes) || '{}');
  return stored;
}

async function plan({ call, valueOf }: RampartCore, memory: object) {
  const { diagnostics } = await call('PlanResourceChange', {
    typeName: type,
    priorState: valueOf(type, full(stored)),
    proposedNewState: valueOf(type, full({ ...stored, ...config })),
    config: valueOf(type, full(config)),
    priorPrivate: bytes(memory),
  });
  return diagnostics.map(({ summary, detail }) => `${summary} ${detail}`);
}

async function apply({ call, valueOf, recordOf, emulator }: RampartCore, memory: object) {
  const from = emulator.requests.length;
  const planned = { ...stored, ...config, status: unknownNotNull };
  const response = await call('ApplyResourceChange', {
    typeName: type,
    priorState: valueOf(type, full(stored)),
    plannedState: valueOf(type, full(planned)),
    config: valueOf(type, full(config)),
    plannedPrivate: bytes(memory),
  });
  return {
    antivirus: recordOf(type, response.newState)?.['antivirus'] ?? null,
    errors: response.diagnostics.map(({ summary }) => summary),
    memory: storedIn(response.private),
    calls: emulator.requests.slice(from).flatMap(({ action, method }) => (method === 'GET' ? [] : [action])),
  };
}

/** Creates the resource, as for a host that is adopted. */
async function adopt({ call, valueOf, recordOf, emulator }: RampartCore, more: RecordValue = {}) {
  const from = emulator.requests.length;
  const response = await call('ApplyResourceChange', {
    typeName: type,
    priorState: valueOf(type, null),
    plannedState: valueOf(type, full({ ...stored, ...config, ...more, status: unknownNotNull })),
    config: valueOf(type, full({ ...config, ...more })),
  });
  return {
    state: recordOf(type, response.newState),
    diagnostics: response.diagnostics.map(({ severity, summary }) => [severity, summary]),
    private: response.private,
    memory: storedIn(response.private),
    calls: emulator.requests.slice(from).flatMap(({ action, method }) => (method === 'GET' ? [] : [action])),
  };
}

describe('an install of rampart_host that nobody acknowledged', () => {
  const lost = {
    faults: [{ action: 'installAntivirus', nth: 1, effect: { kind: 'status', status: 500 } }],
  } as const;

  it('is an error that it may have been requested, and is remembered', async () => {
    const done = await apply(await rampartCore(fleet(), lost), {});
    expect(done).toMatchObject({ antivirus: null, calls: ['installAntivirus'] });
    expect(done.errors.join()).toContain('may have been requested');
    expect(done.memory.installs).toMatchObject([{ hostId: '1', state: 'in-doubt' }]);
    expect(Date.parse(done.memory.installs[0].requestedAt)).toBeGreaterThan(Date.now() - hour);
  });

  it('is not requested again: the plan announces a refresh of the host, and the apply sends it', async () => {
    const core = await rampartCore(fleet());
    const memory = inDoubt(Date.now() - hour);
    expect((await plan(core, memory)).join()).toContain(
      'the apply sends one call that asks the host to report',
    );
    const done = await apply(core, memory);
    expect(done).toMatchObject({ antivirus: null, calls: ['refreshAntivirusStatus'] });
    expect(done.errors.join()).toContain('may have been requested');
    expect(done.memory.installs).toEqual([{ ...memory.installs[0], refreshedAt: expect.any(String) }]);
  });

  it('waits for an offline host, and for one that was refreshed recently', async () => {
    const asked = inDoubt(Date.now() - 3 * hour, Date.now() - hour);
    for (const [online, memory] of [
      [false, inDoubt(Date.now() - hour)],
      [true, asked],
    ] as const) {
      const done = await apply(await rampartCore(fleet(online)), memory);
      expect(done).toMatchObject({ calls: [], memory });
      expect(done.errors).toHaveLength(1);
    }
  });

  it.each([
    ['a refreshed host has had its time', (now: number) => inDoubt(now - 9 * hour, now - 2 * hour)],
    ['the window has passed', (now: number) => inDoubt(now - 24 * hour)],
    ['it is dated in the future', (now: number) => inDoubt(now + hour)],
  ])('is requested again if %s', async (_, ages) => {
    const memory = ages(Date.now());
    const done = await apply(await rampartCore(fleet(), { switches: { installTakesMs: hour } }), memory);
    expect(done).toMatchObject({ antivirus: 'installed', errors: [], calls: ['installAntivirus'] });
    expect(done.memory.installs).toMatchObject([{ state: 'accepted' }]);
  });

  it('is forgotten if the service refused it, or if someone else has installed it since the plan', async () => {
    const refused = await apply(
      await rampartCore(fleet(), {
        faults: [{ action: 'installAntivirus', effect: { kind: 'status', status: 400 } }],
      }),
      {},
    );
    expect(refused).toMatchObject({ antivirus: null, errors: [expect.any(String)] });
    const installed = await apply(await rampartCore(fleet(true, true)), {});
    expect(installed).toMatchObject({ antivirus: 'installed', errors: [], calls: [] });
    expect([refused.memory, installed.memory]).toEqual([{}, {}]);
  });

  it("stays in doubt while its list can't be read, or does not show that the host supports it", async () => {
    const memory = inDoubt(Date.now() - hour);
    const unread = { action: 'listAntivirusDetails', effect: { kind: 'status', status: 403 } } as const;
    const absent = {
      action: 'listAntivirusDetails',
      effect: { kind: 'missing-hosts', ids: ['1'] },
    } as const;
    for (const fault of [unread, absent]) {
      const done = await apply(await rampartCore(fleet(), { faults: [fault] }), memory);
      expect(done).toMatchObject({ antivirus: null, memory, calls: [], errors: [expect.any(String)] });
      expect(done.errors.join()).not.toContain('unexpectedly');
    }
  });

  it('counts a refresh only if the host received it', async () => {
    const memory = inDoubt(Date.now() - hour);
    const failing = await rampartCore(fleet(), {
      faults: [{ action: 'refreshAntivirusStatus', effect: { kind: 'status', status: 500 } }],
    });
    const leaving = await rampartCore(fleet());
    expect(await plan(leaving, memory)).toHaveLength(1);
    leaving.emulator.edit({ kind: 'online', id: '1', online: false });
    for (const core of [failing, leaving]) {
      const done = await apply(core, memory);
      expect(done.calls).toContain('refreshAntivirusStatus');
      expect(done.errors).toEqual([expect.stringContaining('may have been requested')]);
      expect(done.memory).toEqual(memory);
    }
  });

  it('is settled once a read shows the install', async () => {
    const done = await apply(await rampartCore(fleet(true, true)), inDoubt(Date.now() - hour));
    expect(done).toMatchObject({ antivirus: 'installed', errors: [], calls: [] });
    expect(done.memory).toEqual({});
  });
});

describe('an install in doubt while rampart_host adopts its host', () => {
  const refuse = (action: 'installAntivirus' | 'renameHost', status: number) =>
    ({ faults: [{ action, nth: 1, effect: { kind: 'status', status } }] }) as const;

  it('is an error and is stored, so that the next plan shows it and the next apply requests nothing', async () => {
    const core = await rampartCore(fleet(), refuse('installAntivirus', 500));
    const { call, valueOf, recordOf } = core;
    const done = await adopt(core);
    expect(done).toMatchObject({
      state: { antivirus: 'installed', status: 'in-doubt' },
      diagnostics: [[1, expect.stringContaining('may have been requested')]],
      calls: ['installAntivirus'],
    });
    expect(done.memory.installs).toMatchObject([{ hostId: '1', state: 'in-doubt' }]);
    const read = await call('ReadResource', {
      typeName: type,
      currentState: valueOf(type, done.state),
      private: done.private,
    });
    expect(recordOf(type, read.newState)).toMatchObject({ antivirus: null, status: 'in-doubt' });
    expect(storedIn(read.private)).toEqual(done.memory);
    expect((await plan(core, done.memory)).join()).toContain('may have been requested');
    expect((await apply(core, done.memory)).calls).toEqual(['refreshAntivirusStatus']);
  });

  it("can't coincide with an error that stores nothing, because the install comes after the rename", async () => {
    const core = await rampartCore(fleet(), refuse('renameHost', 400));
    const done = await adopt(core, { name: 'B' });
    expect(done).toMatchObject({ state: null, calls: ['renameHost'] });
    expect(done.diagnostics).toEqual([[1, expect.any(String)]]);
  });

  it('is an error without a state if the service refused the install', async () => {
    const done = await adopt(await rampartCore(fleet(), refuse('installAntivirus', 400)));
    expect(done).toMatchObject({ state: null, memory: {}, calls: ['installAntivirus'] });
    expect(done.diagnostics).toEqual([[1, expect.any(String)]]);
  });

  it('is remembered by a replacement with the same host, but not with another host', async () => {
    const { call, valueOf } = await rampartCore(fleet());
    const memory = inDoubt(Date.now() - hour);
    const first = await call('PlanResourceChange', {
      typeName: type,
      priorState: valueOf(type, full(stored)),
      proposedNewState: valueOf(type, full({ ...stored, ...config })),
      config: valueOf(type, full(config)),
      priorPrivate: bytes(memory),
    });
    const replace = async (priorPrivate: Uint8Array) => {
      const { plannedPrivate, diagnostics } = await call('PlanResourceChange', {
        typeName: type,
        priorState: valueOf(type, null),
        proposedNewState: valueOf(type, full({ ...config, id: unknownValue() })),
        config: valueOf(type, full(config)),
        priorPrivate,
      });
      expect(diagnostics.filter(({ severity }) => severity === 1)).toEqual([]);
      return storedIn(plannedPrivate);
    };
    expect(await replace(first.plannedPrivate)).toEqual(memory);
    const memoryOfOther = { installs: [{ ...memory.installs[0], hostId: '2' }] };
    const replaces = (hostId: string) => ({ replaces: { hostId, onDestroy: 'forget' } });
    for (const harmless of [replaces('1'), { ...memoryOfOther, ...replaces('2') }])
      expect(await replace(bytes(harmless))).toEqual({});
  });

  it('is remembered by the successor of a tainted resource, whose private state only a refresh gets', async () => {
    const core = await rampartCore(fleet(), refuse('installAntivirus', 500));
    const { call, valueOf } = core;
    const done = await adopt(core);
    const currentState = valueOf(type, done.state);
    await call('ReadResource', { typeName: type, currentState, private: done.private });
    const { plannedPrivate } = await call('PlanResourceChange', {
      typeName: type,
      priorState: valueOf(type, null),
      proposedNewState: valueOf(type, full({ ...config, id: unknownValue() })),
      config: valueOf(type, full(config)),
    });
    expect(storedIn(plannedPrivate)).toEqual(done.memory);
  });
});

describe('the status of rampart_host after an apply is settled only if a read showed it', () => {
  const unread = { action: 'listAntivirusDetails', effect: { kind: 'status', status: 403 } } as const;
  const lost = { action: 'installAntivirus', nth: 1, effect: { kind: 'status', status: 500 } } as const;
  const unreadAfter = { ...unread, nth: [2, 3, 4, 5] };

  it.each([
    ['an accepted install that no read shows yet', [], 'installing'],
    ["an accepted install whose list can't be read", [unreadAfter], 'installing'],
    ["a lost reply to an install, whose list can't be read", [lost, unreadAfter], 'in-doubt'],
  ])('%s', async (_what, faults, status) => {
    const core = await rampartCore(fleet(), { faults, switches: { installTakesMs: hour } });
    const done = await adopt(core);
    expect(done.state).toMatchObject({ status });
    expect(Object.keys(done.memory)).toHaveLength(1);
  });
});
