import { describe, expect, it } from 'vitest';
import { realisticLimits } from '../../src/service/emulator/realistic-limits.ts';
import { connected, givenService, workplace } from '../given/command-line.ts';

const fleet = { hosts: [{ id: '1', name: 'A' }] };

interface Rights {
  readonly valid: boolean;
  readonly clock_skew_ms: number | null;
  readonly writes: string;
  readonly reads: readonly {
    readonly what: string;
    readonly state: string;
    readonly reason: string | null;
  }[];
}

describe('doctor credentials', () => {
  it('asks nothing but whether the credentials are valid', async () => {
    const { rampart, env, emulator } = await connected(fleet);
    const { code, out } = await rampart('doctor credentials --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      valid: true,
      company_id: '1234567890',
      service: env['RAMPART_BASE_URL'],
      clock_skew_ms: expect.any(Number),
    });
    expect(emulator.requests.map(({ action }) => action)).toEqual(['checkAuthentication']);
  });

  it.each([
    ['401', {}],
    ['success: false', { switches: { authenticationCheck: 'success-false' } }],
  ] as const)('exits with 4 if the service answers %s', async (_, options) => {
    const { rampart } = await connected(fleet, options);
    const { code, out } = await rampart('doctor credentials --rights', { env: { RAMPART_PSK: 'wrong-key' } });
    expect({ code, out }).toEqual({ code: 4, out: '' });
  });

  it('shows the difference of the clocks', async () => {
    const { rampart } = await workplace();
    const { env } = await givenService(fleet);
    const { out } = await rampart('doctor credentials', { env });
    expect(out).toMatch(
      /^The service's clock (agrees with this machine's|is .+ (ahead of|behind) this machine's)\.$/m,
    );
    // The embedded service does not report its time.
    expect((await rampart('doctor credentials --emulator')).out).toBe(
      'The credentials are valid for account 1234567890 at emulator.\n',
    );
  });
});

describe('auth --rights', () => {
  it('tries each list once, only with GETs', async () => {
    const { rampart, emulator } = await connected(fleet);
    const { code, out } = await rampart('doctor credentials --rights --json');
    expect(code).toBe(0);
    const rights = JSON.parse(out) as Rights;
    expect(rights.reads).toHaveLength(9);
    expect(rights.reads.every(({ state }) => state === 'readable')).toBe(true);
    expect(rights.writes).toBe('unknown');
    expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    const actions = emulator.requests.map(({ action }) => action);
    expect(new Set(actions).size).toBe(actions.length);
  });

  it('shows what is forbidden, limited or broken, and still exits with 0, because the credentials are valid', async () => {
    const { rampart, emulator } = await connected(fleet, {
      faults: [
        { action: 'listCustomFields', effect: { kind: 'status', status: 403 } },
        { action: 'listAntivirusDetails', effect: { kind: 'status', status: 401 } },
        { action: 'listHosts', effect: { kind: 'rate-limit', retryDelay: 50 } },
        { action: 'listSystemFields', effect: { kind: 'status', status: 500 } },
        { action: 'readSystemToken', effect: { kind: 'drop', when: 'before' } },
      ],
    });
    const { code, out } = await rampart('doctor credentials --rights --json');
    expect(code).toBe(0);
    const { reads } = JSON.parse(out) as Rights;
    expect(Object.fromEntries(reads.map(({ what, state }) => [what, state]))).toEqual({
      hosts: 'limited',
      'hosts with groups': 'readable',
      'custom-field categories': 'readable',
      'custom fields': 'forbidden',
      'anti-virus': 'forbidden',
      'hardware fields': 'readable',
      'hardware reports': 'readable',
      'system fields': 'failed',
      'system reports': 'failed',
    });
    expect(reads.filter(({ reason }) => reason !== null).map(({ what }) => what)).toEqual([
      'system fields',
      'system reports',
    ]);
    // No request is repeated, however it failed.
    expect(emulator.requests).toHaveLength(10);
  });

  it('waits for no limit: the second time everything that is limited is reported as limited', async () => {
    const { rampart } = await connected(fleet, { limits: realisticLimits });
    await rampart('doctor credentials --rights');
    expect(await rampart('doctor credentials --rights')).toExit(0, {
      out: [
        /^hosts with groups +limited/m,
        /^anti-virus +readable/m,
        'try again in a minute',
        'The write rights are unknown',
      ],
    });
  });
});
