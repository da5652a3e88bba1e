import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sourceDigest } from '../../../bin/console/source-digest.ts';
import { buildExecutable } from '../../../bin/provider/build-executable.ts';
import { findNode } from '../../../bin/provider/find-node.ts';
import { installProvider } from '../../../bin/provider/install-into-mirror.ts';
import { targetNameOf, targetsFrom } from '../../../bin/provider/target.ts';
import { builtOnce } from '../../given/built-once.ts';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

describeTerraform('the provider as a single executable', (test) => {
  test('is installed, plans and applies if there is no Node', async () => {
    const name = targetNameOf(process.platform, process.arch);
    const [target] = targetsFrom(name);
    if (target === undefined) throw new Error(`no target ${name}`);
    const folder = mkdtempSync(join(tmpdir(), 'rampart-executable-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const madeOf = sourceDigest(['src', 'bin', 'package-lock.json']);
    const built = await builtOnce('executable', madeOf, (into) =>
      buildExecutable(into, { target, node: findNode(target, { fetch: false }) }),
    );
    const mirror = join(folder, 'mirror');
    installProvider(built, mirror, { version: '0.1.0', target: name });
    const config = join(folder, 'terraform.rc');
    writeFileSync(config, `provider_installation {\n  filesystem_mirror {\n    path = "${mirror}"\n  }\n}\n`);
    const fleet = await fleetWorkspace({
      hosts: [{ id: '1', name: 'OLD-1' }],
      installed: () => ({ TF_CLI_CONFIG_FILE: config, PATH: '' }),
    });
    fleet.configure(
      'resource "rampart_host" "one" {\n  host_id = "1"\n  name = "NEW-1"\n}\n' +
        'data "rampart_hosts" "new" {\n  where = "host.name.startsWith(\\"NEW\\")"\n  depends_on = [rampart_host.one]\n}\n' +
        'output "count" {\n  value = length(data.rampart_hosts.new.hosts)\n}\n',
    );
    expect(await fleet.run('init', '-no-color')).toMatchObject({ status: 0, stderr: '' });
    const applied = await fleet.apply();
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(applied.stdout).toContain('count = 1');
    expect(fleet.nameOf('1')).toBe('NEW-1');
  });
});
