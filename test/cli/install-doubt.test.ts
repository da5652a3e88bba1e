import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../src/service/emulator/fault.ts';
import type { FleetParts } from '../../src/service/emulator/fleet-state.ts';
import {
  connected,
  type GivenService,
  givenService,
  type Workplace,
  workplace,
} from '../given/command-line.ts';

const hour = 3600 * 1000;
const fleet = (online: boolean): FleetParts => ({
  hosts: Array.from({ length: 10 }, (_, index) => ({
    id: String(index + 1),
    name: `H${index + 1}`,
    online,
    antivirus: { installed: false, supported: true },
  })),
});
const intended = 'version: 1\nhosts:\n  - { id: 1, antivirus: installed }\n  - { id: 2, name: H2 }\n';

const faults = {
  '500, nothing done': { kind: 'status', status: 500 },
  'a reply that is lost': { kind: 'drop', when: 'after' },
  'a connection that breaks before the call arrives': { kind: 'drop', when: 'before' },
} as const;

interface Doubt extends Workplace {
  readonly service: GivenService;
}

/** A run whose install nobody acknowledged. */
async function inDoubt(
  effect: (typeof faults)[keyof typeof faults],
  { online = true, takesMs = hour }: { readonly online?: boolean; readonly takesMs?: number } = {},
): Promise<Doubt> {
  const place = await workplace();
  const rules: FaultRule[] = [{ action: 'installAntivirus', nth: 1, effect }];
  const service = await givenService(fleet(online), {
    faults: rules,
    clock: place.clock,
    switches: { installTakesMs: takesMs },
  });
  await place.write('fleet.yaml', intended);
  const first = await place.rampart('apply --auto-approve', { env: service.env });
  expect(first).toMatchObject({ code: 5, out: expect.stringContaining('1 install in doubt') });
  return { ...place, service };
}

const sentTo = ({ service }: Doubt, action: string) =>
  service.emulator.requests.filter((request) => request.action === action).length;

describe('an install that was not acknowledged', () => {
  it.each(Object.entries(faults))('%s: is reported as in doubt by every later command', async (_, effect) => {
    const place = await inDoubt(effect, { online: false });
    const { rampart, service } = place;
    const { env } = service;

    const plan = await rampart('plan --detailed-exitcode', { env });
    expect(plan).toMatchObject({ code: 2, out: expect.stringContaining('warning[antivirus-in-doubt]') });
    expect(plan.out).toContain('may have been requested');
    expect(plan.out).toContain('Plan: no changes; 1 install in doubt, 1 unchanged, 8 unmanaged.');
    expect(plan.out).not.toContain('No changes: the fleet matches the desired state');
    expect((await rampart('plan', { env })).code).toBe(0);

    const document = JSON.parse((await rampart('plan --json', { env })).out);
    expect(document.summary).toMatchObject({ installs_in_doubt: 1, installs_in_progress: 0, unchanged: 1 });
    expect(document.pending_installs).toMatchObject([{ host_id: '1', name: 'H1', state: 'in-doubt' }]);

    const markdown = (await rampart('plan --format markdown', { env })).out;
    expect(markdown).toContain('1 install in doubt: may have been requested, never acknowledged');
    const page = (await rampart('plan --format html', { env })).out;
    expect(page).toContain('1 install in doubt: may have been requested, never acknowledged');

    expect(await rampart('apply --auto-approve', { env })).toExit(5);
    const events = (await rampart('apply --auto-approve --json', { env })).out.trim().split('\n');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({
      type: 'change_summary',
      converged: null,
      installs_in_doubt: ['1'],
      installs_in_progress: [],
      exit_code: 5,
    });

    const drift = await rampart('drift --detailed-exitcode', { env });
    expect(drift).toExit(2, { out: ['In doubt: an install may have been requested', '1 in doubt'] });
    expect(drift.out).not.toContain('the file was changed');
    expect(sentTo(place, 'installAntivirus')).toBe(1);
  });

  it('is settled by a refresh that the plan shows, and by the read after it', async () => {
    const place = await inDoubt(faults['a reply that is lost'], { takesMs: 30_000 });
    const { rampart, service, clock } = place;
    const { env } = service;
    const plan = await rampart('plan --detailed-exitcode', { env });
    expect(plan.code).toBe(2);
    expect(plan.out).toContain('Refresh the anti-virus status of 1 host');
    expect(plan.out).toContain('1 API call (the minimum possible).');
    await clock.sleep(60_000);
    const applied = await rampart('apply --auto-approve', { env });
    expect(applied.code).toBe(0);
    expect(applied.out).toContain('No changes: the fleet matches the desired state.');
    expect(sentTo(place, 'installAntivirus')).toBe(1);
  });

  it('is requested again once a refreshed host has had its time and still reports none', async () => {
    const place = await inDoubt(faults['500, nothing done']);
    const { rampart, service, clock } = place;
    const { env } = service;
    const apply = () => rampart('apply --auto-approve', { env });

    expect(await apply()).toExit(5, { out: 'Verified except for 1 install in doubt' });
    expect(sentTo(place, 'refreshAntivirusStatus')).toBe(1);

    await clock.sleep(hour);
    expect((await apply()).code).toBe(5);
    expect([sentTo(place, 'refreshAntivirusStatus'), sentTo(place, 'installAntivirus')]).toEqual([1, 1]);

    await clock.sleep(hour);
    const again = await apply();
    expect(again.code).toBe(0);
    expect(again.out).toContain('but the host does not report it after a refresh: it is requested again');
    expect(again.out).toContain('Verified except for 1 install in progress');
    expect(sentTo(place, 'installAntivirus')).toBe(2);

    await clock.sleep(2 * hour);
    expect(await apply()).toExit(0, { out: 'No changes: the fleet matches the desired state.' });
  });

  it('waits as long as --antivirus-settle says, and for --antivirus-window at most', async () => {
    const place = await inDoubt(faults['500, nothing done']);
    const { rampart, service, clock } = place;
    const { env } = service;
    await rampart('apply --auto-approve', { env });
    await clock.sleep(10 * 60_000);
    const soon = await rampart('plan --antivirus-settle 5m', { env });
    expect(soon.out).toContain('Install anti-virus on 1 host');
    expect((await rampart('plan', { env })).out).not.toContain('Install anti-virus on');
    expect((await rampart('plan --antivirus-window 5m', { env })).out).toContain(
      'Install anti-virus on 1 host',
    );
  });

  it('is not settled under read-only mode, which sends no refresh', async () => {
    const place = await inDoubt(faults['500, nothing done']);
    const env = { ...place.service.env, RAMPART_READ_ONLY: '1' };
    expect((await place.rampart('plan --detailed-exitcode', { env })).code).toBe(2);
    expect((await place.rampart('apply --auto-approve', { env })).code).toBe(6);
    expect(sentTo(place, 'refreshAntivirusStatus')).toBe(0);
  });

  it('a saved plan that still has the install leaves it out, and exits with 5', async () => {
    const place = await workplace();
    const service = await givenService(fleet(false), {
      clock: place.clock,
      faults: [{ action: 'installAntivirus', nth: 1, effect: { kind: 'status', status: 500 } }],
    });
    const { env } = service;
    await place.write('fleet.yaml', intended);
    await place.rampart('plan --out plan.json', { env });
    expect((await place.rampart('apply plan.json', { env })).code).toBe(5);
    expect(await place.rampart('apply plan.json', { env })).toExit(5, { out: '1 install in doubt' });
    expect(sentTo({ ...place, service }, 'installAntivirus')).toBe(1);
  });

  it('a host that is offline by the time of the refresh is named, and asked by the next run', async () => {
    const place = await inDoubt(faults['500, nothing done']);
    const { rampart, service } = place;
    const { env } = service;
    await rampart('plan --out plan.json', { env });
    service.emulator.edit({ kind: 'online', id: '1', online: false });
    const ran = await rampart('apply plan.json', { env });
    expect(ran.code).toBe(5);
    expect(ran.out).toContain('H1 (host 1): the refresh was not delivered to this host');
    service.emulator.edit({ kind: 'online', id: '1', online: true });
    expect((await rampart('plan', { env })).out).toContain('Refresh the anti-virus status of 1 host');
  });
});

it('an install that the service accepted is in progress: exit 0, counted on its own, not converged', async () => {
  const { rampart, write, clock } = await connected(fleet(true), (place) => ({
    clock: place.clock,
    switches: { installTakesMs: hour },
  }));
  await write('fleet.yaml', intended);
  const first = await rampart('apply --auto-approve');
  expect(first.code).toBe(0);
  expect(first.out).toContain('Verified except for 1 install in progress');
  const plan = await rampart('plan --detailed-exitcode');
  expect(plan.code).toBe(0);
  expect(plan.out).toContain('Plan: no changes; 1 install in progress, 1 unchanged, 8 unmanaged.');
  const events = (await rampart('apply --auto-approve --json')).out.trim().split('\n');
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({
    converged: null,
    installs_in_progress: ['1'],
    exit_code: 0,
  });
  const drift = await rampart('drift --detailed-exitcode');
  expect([drift.code, drift.out.includes('In progress: the service accepted an install')]).toEqual([0, true]);
  await clock.sleep(2 * hour);
  expect((await rampart('plan')).out).toContain('No changes: the fleet matches the desired state.');
});
