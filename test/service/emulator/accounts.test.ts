import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { createEmulatedAccounts, type EmulatedAccounts } from '../../../src/service/emulator/accounts.ts';
import { type EmulatorOptions } from '../../../src/service/emulator/emulator.ts';
import { fleetState } from '../../../src/service/emulator/fleet-state.ts';
import { generateAccounts } from '../../../src/service/emulator/generate.ts';
import { realisticLimits } from '../../../src/service/emulator/realistic-limits.ts';
import { basic, newDescription, paths, sender } from './calls.ts';

const clock = createVirtualClock(Date.UTC(2026, 0, 1));

function givenAccounts(options: readonly EmulatorOptions[]): EmulatedAccounts {
  const created = createEmulatedAccounts(options);
  if (!created.ok) throw new Error(created.problems[0]?.message);
  return created.value;
}

const three = (more: Partial<EmulatorOptions> = {}) =>
  givenAccounts(generateAccounts({ accounts: 3, hosts: 4 }).map((state) => ({ state, clock, ...more })));

/** A caller for each form of the credentials of one account. */
function callers({ exchange, accounts }: EmulatedAccounts, index: number) {
  const { companyId, psk, loginSessionId, profileId } =
    accounts[index]?.credentials ?? accounts[0]!.credentials;
  return {
    basic: sender(exchange, basic(companyId, psk)),
    json: sender(exchange, `{"companyId":${companyId},"psk":"${psk}"}`),
    session: sender(exchange, JSON.stringify({ loginSessionId, profileId: Number(profileId) })),
  };
}

const idsOf = (reply: { json: { hosts: { id: unknown }[] } }) => reply.json.hosts.map(({ id }) => String(id));

describe('accounts at one address', () => {
  it.each(['basic', 'json', 'session'] as const)('are distinguished by credentials as %s', async (form) => {
    const service = three();
    for (const [index, account] of service.accounts.entries()) {
      const reply = await callers(service, index)[form]('GET', paths.hosts);
      expect(idsOf(reply)).toEqual(account.state().hosts.map(({ id }) => id));
    }
  });

  it('each have a key and a session that do not work for another account', async () => {
    const service = three();
    const keys = service.accounts.map(({ credentials }) => credentials.psk);
    const sessions = service.accounts.map(({ credentials }) => credentials.loginSessionId);
    expect([new Set(keys).size, new Set(sessions).size]).toEqual([3, 3]);
    const [one, two] = service.accounts.map(({ credentials }) => credentials);
    const mixed = sender(service.exchange, basic(one?.companyId ?? '', two?.psk ?? ''));
    expect((await mixed('GET', paths.hosts)).status).toBe(401);
  });

  it.each([
    ['of an unknown company', basic('1', 'x')],
    ['of an unknown session', '{"loginSessionId":"x","profileId":4711}'],
    ['that nobody can read', 'Bearer x'],
  ])('refuse credentials %s', async (_, authorization) => {
    const { exchange } = three();
    expect((await sender(exchange, authorization)('GET', paths.hosts)).status).toBe(401);
  });

  it('do not see or change the hosts of another account', async () => {
    const service = three();
    const { basic: send } = callers(service, 0);
    const foreign = service.accounts[1]?.state().hosts[0]?.id ?? '';
    const connect = '{"directLink":true,"failWhenRaSessionInProgress":false}';
    expect((await send('POST', paths.connection(foreign), connect)).status).toBe(404);
    expect((await send('PUT', paths.description(foreign), newDescription('MINE'))).status).toBe(400);
  });

  it('have separate limits', async () => {
    const service = three({ limits: realisticLimits });
    for (const index of [0, 1, 2]) {
      const { basic: send } = callers(service, index);
      expect((await send('GET', paths.hosts)).status).toBe(200);
      expect((await send('GET', paths.hosts)).status).toBe(429);
    }
  });

  it('count calls and have faults separately', async () => {
    const service = three({ faults: [{ nth: 2, effect: { kind: 'status', status: 503 } }] });
    const first = callers(service, 0).basic;
    const second = callers(service, 1).basic;
    expect((await first('GET', paths.hosts)).status).toBe(200);
    expect((await second('GET', paths.hosts)).status).toBe(200);
    expect((await first('GET', paths.hosts)).status).toBe(503);
    expect(service.accounts.map(({ requests }) => requests.length)).toEqual([2, 1, 0]);
  });

  it('take the key of their seed', async () => {
    const states = [
      fleetState({ companyId: '1', psk: 'one', hosts: [{ id: '5' }] }),
      fleetState({ companyId: '2', psk: 'two', hosts: [{ id: '6' }] }),
    ];
    const { exchange } = givenAccounts(states.map((state) => ({ state, clock })));
    expect(idsOf(await sender(exchange, basic('2', 'two'))('GET', paths.hosts))).toEqual(['6']);
  });

  it.each<[string, readonly EmulatorOptions[], string]>([
    ['none', [], 'there is no account to serve'],
    [
      'one company twice',
      [1, 2].map(() => ({ state: fleetState({ companyId: '7' }), clock })),
      'two accounts have the company ID 7',
    ],
    [
      'one session twice',
      ['1', '2'].map((companyId) => ({
        state: fleetState({ companyId }),
        clock,
        credentials: { loginSessionId: 'same' },
      })),
      'two accounts have the login session same',
    ],
  ])('are refused: %s', (_, options, message) => {
    const created = createEmulatedAccounts(options);
    expect(created.ok).toBe(false);
    expect(created.problems[0]?.message).toBe(message);
  });
});
