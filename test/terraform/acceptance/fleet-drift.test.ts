import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const hosts = Array.from({ length: 5000 }, (_, index) => ({ id: `${index + 1}`, name: `H-${index + 1}` }));
const content = `version: 1\nhosts:\n${hosts.map(({ id, name }) => `  - { id: ${id}, name: ${name} }\n`).join('')}`;
const configuration = 'resource "rampart_fleet" "all" {\n  content = file("fleet.yaml")\n}\n';

/** The printed lines that show a value that changes. */
const changedLines = (stdout: string) => stdout.split('\n').filter((line) => /^ +[-+~] /.test(line));

describeTerraform('a fleet of 5,000 hosts of which one has drifted', (test) => {
  test('is one line of drift in a refresh, and one change in a plan', async () => {
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('fleet.yaml', content);
    await fleet.settle(configuration);
    expect(await fleet.plan('-refresh-only')).toMatchObject({ status: 0 });

    fleet.emulator.edit({ kind: 'rename', id: '4321', name: 'BY-HAND' });
    const refreshed = await fleet.plan('-refresh-only');
    expect(refreshed.status).toBe(2);
    expect(changedLines(refreshed.stdout).map((line) => line.trim())).toEqual([
      '~ resource "rampart_fleet" "all" {',
      '~ drift      = {',
      `+ "4321" = "'BY-HAND': rename to 'H-4321' (fleet.yaml:4323)"`,
    ]);

    const planned = await fleet.plan();
    expect(planned.status).toBe(2);
    expect(planned.stdout).toContain(`+ "4321" = "'BY-HAND': rename to 'H-4321' (fleet.yaml:4323)"`);
    expect(planned.stdout).toContain('-> "1 rename (1 call)"');
    expect(planned.stdout).not.toContain('H-4320');
    expect(changedLines(planned.stdout).length).toBeLessThan(15);

    // The changes of an apply are neither drift nor a part of the next plan, with a refresh or without one.
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.stateText()).toContain("'BY-HAND': rename to 'H-4321'");
    for (const flag of ['-refresh-only', '-refresh-only', '-refresh=false', '-refresh=true'])
      expect([flag, await fleet.plan(flag)]).toMatchObject([flag, { status: 0, stderr: '' }]);
    expect(fleet.nameOf('4321')).toBe('H-4321');
    expect(fleet.callsOf('renameHost')).toBe(1);
  });
});
