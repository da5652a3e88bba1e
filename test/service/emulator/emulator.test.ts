import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/service/contract/message.ts';
import { fleetState } from '../../../src/service/emulator/fleet-state.ts';
import { onceAMinute } from '../../../src/service/emulator/limiter.ts';
import { basic, givenEmulator, hostIds, newDescription, paths, sender, targets } from './calls.ts';

const fleet = {
  groups: [{ id: '17', name: 'Servers' }],
  hosts: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
  ],
};
const rename = (id: string, name: string) => ['PUT', paths.description(id), newDescription(name)] as const;

describe('the record of requests', () => {
  it('has every call in order, with its status', async () => {
    const given = givenEmulator(fleet);
    await given.send('GET', paths.hosts);
    await given.send(...rename('1', 'B'));
    await given.send('GET', '/nowhere');
    await given.send(...rename('1', 'C'));
    expect(given.requests).toMatchObject([
      { index: 0, action: 'listHosts', nth: 1, status: 200 },
      { index: 1, action: 'renameHost', nth: 1, status: 409, body: '{"newDescription":"B"}' },
      { index: 2, action: null, nth: 1, status: 404 },
      { index: 3, action: 'renameHost', nth: 2, status: 204 },
    ]);
  });

  it('can be disabled, while faults keep counting', async () => {
    const given = givenEmulator(fleet, {
      recordRequests: false,
      faults: [{ from: 1, effect: { kind: 'status', status: 503 } }],
    });
    expect((await given.send('GET', paths.hosts)).status).toBe(200);
    expect((await given.send('GET', paths.hosts)).status).toBe(503);
    expect(given.requests).toEqual([]);
  });

  it('never contains the key', async () => {
    const given = givenEmulator(fleet);
    await given.send('GET', paths.hosts);
    const kept = JSON.stringify(given.requests);
    expect(kept).not.toContain(given.credentials.psk);
    expect(kept).not.toContain(btoa(`${given.credentials.companyId}:${given.credentials.psk}`).slice(-40));
  });
});

describe('credentials', () => {
  it('come from the state, if it has a key', async () => {
    const given = givenEmulator({ ...fleet, companyId: '77', psk: 'k' });
    expect(given.credentials).toMatchObject({ companyId: '77', psk: 'k' });
  });

  it('can be given next to the state', async () => {
    const given = givenEmulator({ ...fleet, psk: 'old' }, { credentials: { psk: 'new' } });
    expect((await given.send('GET', paths.hosts)).status).toBe(200);
    const old = sender(given.exchange, basic(given.credentials.companyId, 'old'));
    expect((await old('GET', paths.hosts)).status).toBe(401);
  });

  it('may have a company ID beyond 2^53, which is compared exactly', async () => {
    const given = givenEmulator({ ...fleet, companyId: '9007199254740993', psk: 'k' });
    const withId = (companyId: string) =>
      given.send('GET', paths.hosts, undefined, {
        headers: { authorization: `{"companyId":${companyId},"psk":"k"}` },
      });
    expect((await withId('9007199254740993')).status).toBe(200);
    expect((await withId('9007199254740992')).status).toBe(401);
  });
});

describe('the state', () => {
  it('is a value that never changes', async () => {
    const given = givenEmulator(fleet);
    const before = given.state();
    await given.send('DELETE', paths.hostsV1, hostIds('1'));
    expect(before.hosts).toHaveLength(2);
    expect(given.state().hosts.map((host) => host.id)).toEqual(['2']);
    expect(before).toEqual(fleetState(fleet));
  });

  it('shows an install once it is done', async () => {
    const given = givenEmulator(fleet, { switches: { installTakesMs: 1_000 } });
    await given.send('POST', paths.install, targets('1'));
    expect(given.state().hosts[0]?.antivirus.installed).toBe(false);
    await given.clock.sleep(1_000);
    expect(given.state().hosts[0]?.antivirus).toMatchObject({ installed: true, installEndsAt: null });
  });
});

it('installs are counted for each host whenever one is accepted', async () => {
  const given = givenEmulator(fleet, { switches: { installTakesMs: 1_000 } });
  await given.send('POST', paths.install, targets('1', '2'));
  await given.send('POST', paths.install, targets('2'));
  await given.clock.sleep(1_000);
  await given.send('POST', paths.install, targets('1', '2'));
  expect([...given.installs]).toEqual([
    ['1', 1],
    ['2', 2],
  ]);
});

describe('hooks', () => {
  it('are called when a call arrives and before its response is sent', async () => {
    const log: string[] = [];
    const given = givenEmulator(fleet, {
      hooks: {
        beforeEach: (call) =>
          void log.push(`before ${call.index} ${call.action} ${given.state().hosts[0]?.name}`),
        afterEach: (call, status) =>
          void log.push(`after ${call.index} ${status} ${given.state().hosts[0]?.name}`),
      },
    });
    await given.send(...rename('1', 'C'));
    await given.send('GET', '/nowhere');
    expect(log).toEqual(['before 0 renameHost A', 'after 0 204 C', 'before 1 null C', 'after 1 404 C']);
  });

  it('can edit the fleet right before a call is carried out', async () => {
    const given = givenEmulator(fleet, {
      hooks: { beforeEach: () => void given.edit({ kind: 'rename', id: '2', name: 'C' }) },
    });
    expect((await given.send(...rename('1', 'C'))).status).toBe(409);
  });

  it('can kill the caller on either side of the change', async () => {
    class Crash extends Error {}
    for (const [hook, name] of [
      ['beforeEach', 'A'],
      ['afterEach', 'C'],
    ] as const) {
      const given = givenEmulator(fleet, {
        hooks: {
          [hook]: () => {
            throw new Crash();
          },
        },
      });
      await expect(given.send(...rename('1', 'C'))).rejects.toThrow(Crash);
      expect(given.state().hosts[0]?.name).toBe(name);
    }
  });
});

describe('a caller that gives up', () => {
  it('gets no response, although the call is carried out', async () => {
    const given = givenEmulator(fleet, { faults: [{ effect: { kind: 'latency', ms: 1_000 } }] });
    const controller = new AbortController();
    const call = given.send(...rename('1', 'C'), { signal: controller.signal });
    controller.abort();
    expect(await call.catch((reason: unknown) => reason)).toMatchObject({ failure: 'reply-lost' });
    expect(given.state().hosts[0]?.name).toBe('A');
    await given.clock.sleep(1_000);
    expect(given.state().hosts[0]?.name).toBe('C');
  });

  it('before the call was sent has sent nothing', async () => {
    const given = givenEmulator(fleet);
    const error = await given
      .send(...rename('1', 'C'), { signal: AbortSignal.abort() })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ failure: 'not-sent' });
    expect(given.requests).toEqual([]);
  });
});

describe('limits', () => {
  it('are off by default', async () => {
    const given = givenEmulator(fleet);
    for (let call = 0; call < 20; call += 1) expect((await given.send('GET', paths.hosts)).status).toBe(200);
  });

  it('apply only to their action, and can change', async () => {
    const given = givenEmulator(fleet, { limits: { listHosts: onceAMinute } });
    const statuses = async () => [
      (await given.send('GET', paths.hosts)).status,
      (await given.send('GET', paths.hosts)).status,
      (await given.send('GET', paths.hostsWithGroups)).status,
    ];
    expect(await statuses()).toEqual([200, 429, 200]);
    given.setLimits({});
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('are not used up by calls without credentials', async () => {
    const given = givenEmulator(fleet, { limits: { listHosts: onceAMinute } });
    await given.send('GET', paths.hosts, undefined, { headers: { authorization: null } });
    expect((await given.send('GET', paths.hosts)).status).toBe(200);
  });
});

describe('lists', () => {
  it('follow every change although they are cached', async () => {
    const given = givenEmulator(fleet);
    const names = async () =>
      (await given.send('GET', paths.hosts)).json.hosts.map(
        (host: { description: string }) => host.description,
      );
    expect(await names()).toEqual(['A', 'B']);
    expect(await names()).toEqual(['A', 'B']);
    given.edit({ kind: 'rename', id: '1', name: 'C' });
    expect(await names()).toEqual(['C', 'B']);
    given.edit({ kind: 'enroll', host: { id: '3', name: 'D' } });
    expect(await names()).toEqual(['C', 'B', 'D']);
  });

  it('contain hostile names as valid JSON', async () => {
    const hostile = [
      '"',
      '\\',
      '\u0000\u001b[2J',
      '\u2028',
      '</script>',
      '\ud800',
      ',"id":1,',
      '💥'.repeat(50),
    ];
    const given = givenEmulator({ hosts: hostile.map((name, index) => ({ id: String(index), name })) });
    for (const path of [paths.hosts, paths.hostsWithGroups, paths.hostsV1]) {
      const { hosts } = (await given.send('GET', path)).json;
      expect(hosts.map((host: { description: string }) => host.description)).toEqual(hostile);
    }
  });
});
