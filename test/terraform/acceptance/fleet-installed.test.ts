import { execFileSync } from 'node:child_process';
import { mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { buildProvider } from '../../../bin/provider/build-provider.ts';
import { installProvider, targetOf } from '../../../bin/provider/install-into-mirror.ts';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const hosts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, name: `H-${index + 1}` }));

const all = (count: number, prefix: string) =>
  `resource "rampart_host" "all" {\n  for_each = toset([for i in range(${count}) : tostring(i + 1)])\n  host_id = each.key\n  name = "${prefix}-\${each.key}"\n}\n`;

describeTerraform('the built provider, installed from a filesystem mirror', (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-mirror-'));
  const config = join(folder, 'terraform.rc');

  beforeAll(async () => {
    await buildProvider(join(folder, 'built'));
    installProvider(
      join(folder, 'built'),
      join(folder, 'mirror'),
      '0.1.0',
      targetOf(process.platform, process.arch),
    );
    writeFileSync(
      config,
      `provider_installation {\n  filesystem_mirror {\n    path = "${join(folder, 'mirror')}"\n  }\n}\n`,
    );
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const installed = () => ({
    TF_CLI_CONFIG_FILE: config,
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    NODE_COMPILE_CACHE: join(folder, 'cache'),
  });

  test('init, validate, apply, an empty plan and destroy, each in processes of its own', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(4), installed });
    fleet.configure(all(4, 'NEW'));
    expect(await fleet.run('init', '-no-color')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Installed acme/rampart v0.1.0'),
    });
    expect(await fleet.run('validate')).toMatchObject({ status: 0 });
    await fleet.settle(all(4, 'NEW'));
    expect(fleet.nameOf('4')).toBe('NEW-4');
    expect(await fleet.run('destroy', '-auto-approve')).toMatchObject({ status: 0 });
    expect(fleet.emulator.state().hosts).toHaveLength(4);
  });

  test('killed in the middle of an apply: the next one goes on and touches nothing twice', async () => {
    const fleet = await fleetWorkspace({
      hosts: hosts(30),
      installed,
      hooks: {
        afterEach: ({ action, nth }) => {
          if (action === 'renameHost' && nth === 12) killProviders(fleet.folder);
        },
      },
    });
    fleet.configure(all(30, 'NEW'));
    expect(await fleet.run('init')).toMatchObject({ status: 0 });
    const killed = await fleet.apply();
    expect(killed.status).toBe(1);
    expect(killed.stderr).toContain('Plugin did not respond');
    await fleet.settle(all(30, 'NEW'));
    expect(fleet.emulator.state().hosts.every(({ id, name }) => name === `NEW-${id}`)).toBe(true);
    expect(fleet.callsOf('renameHost')).toBe(30);
  });
});

/** Ends the providers that work in this folder. */
function killProviders(folder: string): void {
  const listed = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  for (const line of listed.split('\n')) {
    const [, pid, args] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    if (args?.includes('terraform-provider-rampart_v0.1.0') === true && workingFolder(Number(pid)) === folder)
      process.kill(Number(pid), 'SIGKILL');
  }
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
