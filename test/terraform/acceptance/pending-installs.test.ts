import { expect } from 'vitest';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import { type FleetWorkspace, fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const hour = 3_600_000;
const hosts = ['1', '2'].map((id) => ({ id, name: `H-${id}` }));
const lost: FaultRule = { action: 'installAntivirus', nth: 1, effect: { kind: 'status', status: 500 } };
const host = '\nresource "rampart_host" "one" {\n  host_id = "1"\n  antivirus = "installed"\n}\n';
const wholeFleet = (name: string) => `
resource "rampart_fleet" "all" {
  content = <<-EOT
    version: 1
    hosts:
      - { id: 1, antivirus: installed }
      - { id: 2, name: ${name} }
  EOT
}
`;

const requestsOf = ({ emulator }: FleetWorkspace, action: string) =>
  emulator.requests.filter((each) => each.action === action).length;
const finishInstall = ({ emulator }: FleetWorkspace) =>
  emulator.edit({ kind: 'antivirus', id: '1', antivirus: { installed: true } });

describeTerraform('an install that no read shows yet, under the real terraform', (test) => {
  test('is in doubt after a lost response: the apply fails, and the next one requests no second install', async () => {
    const fleet = await fleetWorkspace({ hosts, faults: [lost] });
    fleet.configure(host);
    const created = await fleet.apply();
    expect(created).toMatchObject({ status: 1, stderr: expect.stringContaining('may have been requested') });
    expect(fleet.stateText()).toContain('"in-doubt"');
    const planned = await fleet.plan();
    expect(planned.status).toBe(2);
    expect(planned.output).toContain('the apply sends one call that asks the host to report');
    expect(await fleet.apply()).toMatchObject({ status: 1 });
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2 });
    expect(await fleet.run('apply', '-no-color', 'saved')).toMatchObject({ status: 1 });
    expect(['installAntivirus', 'refreshAntivirusStatus'].map((each) => requestsOf(fleet, each))).toEqual([
      1, 1,
    ]);
    finishInstall(fleet);
    await fleet.settle(host);
    expect(requestsOf(fleet, 'installAntivirus')).toBe(1);
  });

  test('is requested once by rampart_fleet without a state folder, however often it is applied', async () => {
    const fleet = await fleetWorkspace({ hosts, switches: { installTakesMs: hour } });
    await fleet.settle(wholeFleet('A'));
    await fleet.settle(wholeFleet('B'));
    expect(fleet.nameOf('2')).toBe('B');
    expect(requestsOf(fleet, 'installAntivirus')).toBe(1);
    finishInstall(fleet);
    await fleet.settle(wholeFleet('C'));
    expect(requestsOf(fleet, 'installAntivirus')).toBe(1);
  });

  test('is requested once by rampart_fleet if its creation fails for another host', async () => {
    const fleet = await fleetWorkspace({
      hosts,
      switches: { installTakesMs: hour },
      faults: [{ action: 'renameHost', nth: 1, effect: { kind: 'status', status: 400 } }],
    });
    fleet.configure(wholeFleet('A'));
    expect(await fleet.apply()).toMatchObject({ status: 1 });
    expect([fleet.nameOf('2'), requestsOf(fleet, 'installAntivirus')]).toEqual(['H-2', 1]);
    await fleet.settle(wholeFleet('A'));
    expect([fleet.nameOf('2'), requestsOf(fleet, 'installAntivirus')]).toEqual(['A', 1]);
  });
});
