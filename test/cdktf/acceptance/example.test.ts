import { expect } from 'vitest';
import { readSeed } from '../../../src/service/emulator/seed.ts';
import { describeTerraform } from '../../terraform/acceptance/given/terraform-cli.ts';
import { exampleApp } from './given/example-app.ts';
import { mirrorOfBoth } from './given/mirror-of-both.ts';

describeTerraform('examples/cdktf under the real terraform', (test) => {
  test('reorganizes the emulated fleet, and then plans nothing', async () => {
    const app = exampleApp('cdktf/main.ts', await mirrorOfBoth());
    app.synth();
    const stacks = ['offices', 'security'].map(app.stack);
    for (const stack of stacks) {
      expect(await stack.run('init', '-no-color')).toMatchObject({ status: 0, stderr: '' });
      expect(await stack.run('apply', '-auto-approve', '-no-color')).toMatchObject({ status: 0, stderr: '' });
    }

    const seed = readSeed(app.read('emulated-fleet.yaml'), 'emulated-fleet.yaml');
    if (!seed.ok) throw new Error("the emulated fleet can't be read");
    const { hosts, groups } = seed.value;
    const group = new Map(groups.map(({ id, name }) => [id, name]));
    const at = (id: string) => {
      const host = hosts.find((each) => each.id === id);
      return host === undefined ? null : `${host.name} in ${group.get(host.groupId)}`;
    };
    const shown = ['9007199254740993', '9007199254740995', '9223372036854775807', '812340004', '812340010'];
    expect(shown.map(at)).toEqual([
      'BER-WEB-02 in Berlin Servers',
      'BER-WEB-01 in Berlin Servers',
      'LIS-DB-01 in Lisbon Servers',
      'BER-LT-05 in Berlin Laptops',
      'KIOSK-LOBBY in Kiosks',
    ]);
    expect(['812340020', '812340023'].map(at)).toEqual([null, null]);
    expect(at('812340022')).toBe('KIOSK-ENTRANCE in Kiosks');
    expect(hosts.find(({ id }) => id === '812340101')?.antivirus.installed).toBe(true);

    app.synth();
    for (const stack of stacks)
      expect(await stack.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('No changes.'),
        stderr: '',
      });
  });
});
