import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/service/contract/message.ts';
import {
  type CallInfo,
  type FaultEffect,
  type FaultRule,
  faultsOf,
} from '../../../src/service/emulator/fault.ts';
import { type Given, givenEmulator, hostIds, newDescription, paths, targets } from './calls.ts';

const fleet = {
  hosts: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
    { id: '3', name: 'C' },
    { id: '4', name: 'D' },
  ],
};

function faulty(effect: FaultEffect | readonly FaultEffect[], rule: Omit<FaultRule, 'effect'> = {}): Given {
  return givenEmulator(fleet, { faults: [{ ...rule, effect }] });
}

const rename = (given: Given) => given.send('PUT', paths.description('1'), newDescription('NEW'));
const nameOf = (given: Given) => given.state().hosts.find((host) => host.id === '1')?.name;
const listed = async (given: Given) =>
  (await given.send('GET', paths.hosts)).json.hosts.map((host: { description: string }) => host.description);

describe('an effect', () => {
  it('latency lets time pass before the call is carried out', async () => {
    const given = faulty({ kind: 'latency', ms: 400 });
    const start = given.clock.now();
    expect((await rename(given)).status).toBe(204);
    expect(given.clock.now() - start).toBe(400);
  });

  it('a slow response comes late, and the change at once', async () => {
    const given = faulty({ kind: 'slow-reply', ms: 400 });
    const start = given.clock.now();
    const reply = rename(given);
    await Promise.resolve();
    expect(nameOf(given)).toBe('NEW');
    await reply;
    expect(given.clock.now() - start).toBe(400);
  });

  it('a rate limit refuses with 429 and does nothing', async () => {
    const given = faulty({ kind: 'rate-limit', retryDelay: 42 });
    const reply = await rename(given);
    expect(reply.status).toBe(429);
    expect(reply.json.retryDelay).toBe(42);
    expect(nameOf(given)).toBe('A');
  });

  it('a rate limit of the connection action contains the host, and a status of another server does not', async () => {
    const connect = (effect: FaultEffect) =>
      faulty(effect).send(
        'POST',
        paths.connection('1'),
        '{"directLink":true,"failWhenRaSessionInProgress":true}',
      );
    expect((await connect({ kind: 'rate-limit' })).json).toMatchObject({ hostId: 1 });
    expect((await connect({ kind: 'status', status: 404 })).json).not.toHaveProperty('hostId');
  });

  it.each([500, 502, 503])('status %d without an effect replaces the call', async (status) => {
    const given = faulty({ kind: 'status', status });
    const reply = await rename(given);
    expect(reply.status).toBe(status);
    expect(typeof reply.json.message).toBe('string');
    expect(nameOf(given)).toBe('A');
  });

  it('a status can come after the change', async () => {
    const given = faulty({ kind: 'status', status: 500, when: 'after' });
    expect((await rename(given)).status).toBe(500);
    expect(nameOf(given)).toBe('NEW');
  });

  it('a status can have an HTML page and headers', async () => {
    const given = faulty({ kind: 'status', status: 302, text: '<p>over there', headers: { location: '/x' } });
    const reply = await rename(given);
    expect(reply).toMatchObject({ status: 302, text: '<p>over there' });
    expect(reply.headers).toEqual({ 'content-type': 'text/html; charset=utf-8', location: '/x' });
  });

  it.each<[string, FaultEffect, 'not-sent' | 'reply-lost', string]>([
    ['a refused connection', { kind: 'refuse-connection' }, 'not-sent', 'A'],
    ['a drop before the change', { kind: 'drop', when: 'before' }, 'reply-lost', 'A'],
    ['a drop after the change', { kind: 'drop', when: 'after' }, 'reply-lost', 'NEW'],
  ])('%s leaves the caller without a response', async (_, effect, failure, name) => {
    const given = faulty(effect);
    const error = await rename(given).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ failure });
    expect(nameOf(given)).toBe(name);
    expect(given.requests).toMatchObject([{ action: 'renameHost', status: null }]);
  });

  it('a stale list shows the hosts as they were some writes ago', async () => {
    const given = faulty({ kind: 'stale-list', writes: 2 }, { action: 'listHosts' });
    await given.send('PUT', paths.description('1'), newDescription('X'));
    await given.send('PUT', paths.description('1'), newDescription('Y'));
    await given.send('DELETE', paths.hostsV1, '{"hostIds":[2]}');
    expect(new Set(await listed(given))).toEqual(new Set(['B', 'C', 'D', 'X']));
  });

  it('a list that was stale once is fresh again', async () => {
    const given = faulty({ kind: 'stale-list', writes: 1 }, { action: 'listHosts', nth: 2 });
    expect(await listed(given)).toContain('A');
    await rename(given);
    expect(await listed(given)).toContain('A');
    expect(await listed(given)).toContain('NEW');
  });

  it('a short list shows the first hosts only', async () =>
    expect(await listed(faulty({ kind: 'short-list', share: 0.5 }))).toEqual(['A', 'B']));

  it('a short list of share 0 is empty', async () =>
    expect(await listed(faulty({ kind: 'short-list', share: 0 }))).toEqual([]));

  it('missing hosts are absent from every list', async () => {
    const given = faulty({ kind: 'missing-hosts', ids: ['2', '4'] });
    expect(await listed(given)).toEqual(['A', 'C']);
    const { hosts } = (await given.send('GET', paths.antivirus)).json;
    expect(hosts.map((host: { hostId: number }) => host.hostId)).toEqual([1, 3]);
  });

  it.each([
    ['rename', (given: Given) => rename(given), 204],
    ['move', (given: Given) => given.send('PUT', paths.groupHosts('-1'), hostIds('3')), 204],
    ['deletion', (given: Given) => given.send('DELETE', paths.hostsV1, hostIds('1')), 204],
    ['install', (given: Given) => given.send('POST', paths.install, targets('1')), 200],
  ] as const)('a %s without an effect gets the usual response', async (_, write, status) => {
    const given = faulty({ kind: 'nothing-done' }, { action: 'writes' });
    const before = given.state();
    expect((await write(given)).status).toBe(status);
    expect(given.state()).toEqual(before);
    expect(given.installs.size).toBe(0);
  });

  it('a write without an effect is refused like a real one', async () => {
    const given = faulty({ kind: 'nothing-done' });
    expect((await given.send('PUT', paths.description('1'), newDescription('B'))).status).toBe(409);
    expect((await given.send('DELETE', paths.hostsV1, hostIds('9'))).status).toBe(400);
  });

  it('a report without an effect has an unknown token', async () => {
    const given = faulty({ kind: 'nothing-done' }, { action: 'createHardwareReport' });
    const { status, json } = await given.send('POST', paths.reports('hardware'), hostIds('1'));
    expect(status).toBe(201);
    expect((await given.send('GET', paths.report('hardware', json.token))).status).toBe(404);
    expect((await given.send('GET', paths.reports('hardware'))).json.token).toBeNull();
  });

  it('a slow body takes its time and changes no byte', async () => {
    const whole = await faulty([]).send('GET', paths.hosts);
    const given = faulty({ kind: 'drip', bytes: 10, everyMs: 250 });
    const start = given.clock.now();
    expect((await given.send('GET', paths.hosts)).text).toBe(whole.text);
    expect(given.clock.now() - start).toBe(Math.ceil(whole.text.length / 10) * 250);
  });

  it('an endless body ends only when the caller gives up', async () => {
    const given = faulty({ kind: 'drip', bytes: 1, everyMs: 60_000, endless: true });
    const caller = new AbortController();
    const reply = given.send('GET', paths.hosts, undefined, { signal: caller.signal });
    await given.clock.sleep(24 * 3_600_000);
    caller.abort();
    await expect(reply).rejects.toMatchObject({ failure: 'reply-lost' });
  });

  it('repeated hosts are in the list twice', async () =>
    expect(await listed(faulty({ kind: 'repeated-hosts', hosts: 1 }))).toEqual(['A', 'B', 'C', 'D', 'A']));

  it('a truncated body is not valid JSON', async () => {
    const reply = await faulty({ kind: 'truncated-body', share: 0.5 }).send('GET', paths.hosts);
    expect(reply.status).toBe(200);
    expect(reply.text.length).toBeGreaterThan(10);
    expect(reply.json).toBeUndefined();
  });

  it('several can apply to one call', async () => {
    const given = faulty([
      { kind: 'latency', ms: 100 },
      { kind: 'drop', when: 'after' },
    ]);
    await expect(rename(given)).rejects.toThrow(TransportError);
    expect(given.clock.now() - Date.UTC(2026, 0, 1)).toBe(100);
    expect(nameOf(given)).toBe('NEW');
  });
});

it('a stale list shows exactly the fleet before the last writes', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('rename', 'delete', 'enroll')), {
        maxLength: 8,
      }),
      async (edits) => {
        const writesAgo = { count: 0 };
        const given = givenEmulator(fleet, {
          faults: () => [{ kind: 'stale-list', writes: writesAgo.count }],
        });
        const shown = () => new Set(given.state().hosts.map((host) => `${host.id} ${host.name}`));
        const history = [shown()];
        for (const [index, [id, kind]] of edits.entries()) {
          const host = String(id);
          const name = `N${index}`;
          const done =
            kind === 'rename'
              ? given.edit({ kind, id: host, name })
              : kind === 'delete'
                ? given.edit({ kind, id: host })
                : given.edit({ kind: 'enroll', host: { id: host, name } });
          if (done) history.unshift(shown());
        }
        for (const [ago, then] of history.entries()) {
          writesAgo.count = ago;
          const { hosts } = (await given.send('GET', paths.hosts)).json;
          const seen = hosts.map(
            (host: { id: number; description: string }) => `${host.id} ${host.description}`,
          );
          expect(new Set(seen)).toEqual(then);
        }
      },
    ),
  ));

describe('a rule', () => {
  const effect: FaultEffect = { kind: 'drop', when: 'before' };
  const call = (index: number, action: CallInfo['action'] = 'renameHost', nth = index + 1): CallInfo => ({
    index,
    action,
    nth,
  });
  const hits = (
    rule: Omit<FaultRule, 'effect'>,
    calls = Array.from({ length: 6 }, (_, index) => call(index)),
  ) => calls.filter((each) => faultsOf([{ ...rule, effect }], each).length > 0).map((each) => each.index);

  it.each<[string, Omit<FaultRule, 'effect'>, readonly number[]]>([
    ['without conditions befalls every call', {}, [0, 1, 2, 3, 4, 5]],
    ['with nth befalls that call of the action', { nth: 3 }, [2]],
    ['with a list befalls each of them', { nth: [1, 6] }, [0, 5]],
    ['with every befalls each such call', { every: 2 }, [1, 3, 5]],
    ['with from and before befalls a stretch', { from: 2, before: 4 }, [2, 3]],
    ['with an action spares the others', { action: 'listHosts' }, []],
    ['with some actions befalls them', { action: ['listHosts', 'renameHost'] }, [0, 1, 2, 3, 4, 5]],
    ['for writes befalls a rename', { action: 'writes', nth: 1 }, [0]],
    ['for reads spares a rename', { action: 'reads' }, []],
    ['of probability 0 befalls none', { probability: 0 }, []],
    ['of probability 1 befalls all', { probability: 1 }, [0, 1, 2, 3, 4, 5]],
  ])('%s', (_, rule, expected) => expect(hits(rule)).toEqual(expected));

  it('never applies to an unknown action by name', () => {
    expect(hits({ action: 'reads' }, [call(0, null)])).toEqual([]);
    expect(hits({}, [call(0, null)])).toEqual([0]);
  });

  it('with a probability applies to about that share, and to the same calls every time', () => {
    const calls = Array.from({ length: 4_000 }, (_, index) => call(index));
    for (const seed of [0, 1, 2]) {
      const hit = hits({ probability: 0.25, seed }, calls);
      expect(hit.length / calls.length).toBeGreaterThan(0.2);
      expect(hit.length / calls.length).toBeLessThan(0.3);
      expect(hits({ probability: 0.25, seed }, calls)).toEqual(hit);
    }
    expect(hits({ probability: 0.25, seed: 1 }, calls)).not.toEqual(
      hits({ probability: 0.25, seed: 2 }, calls),
    );
  });
});
