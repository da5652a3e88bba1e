import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { attached } from './given/attached.ts';
import { probeProvider, type Store } from './given/probe-provider.ts';
import { createWorkspace, describeTerraform, type Workspace } from './given/terraform-cli.ts';

const head = `
terraform {
  required_providers {
    probe = { source = "acme/probe" }
  }
}
`;

async function start(): Promise<{ readonly workspace: Workspace; readonly store: Store }> {
  const store: Store = { things: new Map(), onSlow: () => undefined };
  const env = await attached('registry.terraform.io/acme/probe', probeProvider(store));
  return { workspace: createWorkspace(env), store };
}

async function applyTwice(workspace: Workspace, configuration: string): Promise<void> {
  workspace.write('main.tf', head + configuration);
  expect(await workspace.run('apply', '-auto-approve', '-no-color')).toMatchObject({ status: 0, stderr: '' });
  expect(await workspace.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({
    status: 0,
    stderr: '',
  });
}

describeTerraform('values and rules under the real terraform', (test) => {
  test('numbers, sets, results and blocks are returned without drift', async () => {
    const { workspace, store } = await start();
    await applyTwice(
      workspace,
      `resource "probe_thing" "all" {
        name   = "all"
        counts = { a = 0.1, b = 1.5, c = 1e-7, d = 9007199254740991, e = -28 }
        tags   = ["b", "a", "a"]
        port { number = 2 }
        port { number = 1 }
      }`,
    );
    expect(store.things.get('id-all')).toMatchObject({
      counts: { a: 0.1, b: 1.5, c: 1e-7, d: 9007199254740991, e: -28 },
      tags: ['a', 'b'],
      size: 1,
      port: [{ number: 2 }, { number: 1 }],
    });
    await applyTwice(workspace, 'resource "probe_thing" "all" {\n  name = "all"\n  size = 2\n}');
    expect(store.things.get('id-all')).toMatchObject({ size: 2, counts: null, tags: null, port: [] });
  });

  test('unknown values, including refined ones and those in dynamic blocks, are planned and resolved', async () => {
    const { workspace, store } = await start();
    await applyTwice(
      workspace,
      `resource "terraform_data" "later" { input = "2" }
      resource "probe_thing" "a" {
        name = "a-\${terraform_data.later.output}"
        dynamic "port" {
          for_each = toset([terraform_data.later.output])
          content { number = port.value }
        }
      }
      resource "probe_thing" "b" {
        name  = "of-\${probe_thing.a.id}"
        count = probe_thing.a.id == null ? 0 : 1
      }`,
    );
    expect([...store.things.keys()].sort()).toEqual(['id-a-2', 'id-of-id-a-2']);
    expect(store.things.get('id-a-2')?.port).toEqual([{ number: 2 }]);
  });

  test('an ephemeral value reaches no file', async () => {
    const { workspace } = await start();
    await applyTwice(
      workspace,
      'ephemeral "probe_token" "t" { of = "me" }\nresource "probe_thing" "w" { name = "w" }',
    );
    expect(readFileSync(join(workspace.folder, 'terraform.tfstate'), 'utf8')).not.toContain('secret-of-me');
  });

  test('drift is detected, and deleted resources are created again', async () => {
    const { workspace, store } = await start();
    const configuration = 'resource "probe_thing" "d" { name = "d" }';
    await applyTwice(workspace, configuration);
    const made = store.things.get('id-d');
    if (made !== undefined) store.things.set('id-d', { ...made, tags: ['by hand'] });
    const drifted = await workspace.run('plan', '-detailed-exitcode', '-no-color');
    expect(drifted).toMatchObject({ status: 2, stdout: expect.stringContaining('"by hand"') });
    store.things.delete('id-d');
    await applyTwice(workspace, configuration);
    expect(store.things.has('id-d')).toBe(true);
  });

  test('an import with generated configuration changes nothing; an unknown id is an error with a hint', async () => {
    const { workspace, store } = await start();
    await applyTwice(workspace, 'resource "probe_thing" "i" {\n  name = "i"\n  size = 7\n}');
    const kept = store.things.get('id-i');
    await workspace.run('state', 'rm', 'probe_thing.i');
    workspace.write('main.tf', `${head}import {\n  to = probe_thing.i\n  id = "id-i"\n}\n`);
    const planned = await workspace.run('plan', '-generate-config-out=generated.tf', '-no-color');
    expect(planned).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 to import, 0 to add, 0 to change'),
    });
    expect(readFileSync(join(workspace.folder, 'generated.tf'), 'utf8')).toMatch(/size\s+= 7/);
    expect(await workspace.run('apply', '-auto-approve', '-no-color')).toMatchObject({ status: 0 });
    expect(store.things.get('id-i')).toEqual(kept);
    workspace.write('main.tf', `${head}import {\n  to = probe_thing.i\n  id = "nobody"\n}\n`);
    await workspace.run('state', 'rm', 'probe_thing.i');
    const refused = await workspace.run('plan', '-no-color');
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('No such thing') });
  });

  test('diagnostics point at their line, and functions at their argument', async () => {
    const { workspace } = await start();
    workspace.write(
      'main.tf',
      `${head}resource "probe_thing" "x" {\n  name = "odd"\n  size = 1\n  port { number = 13 }\n}\n`,
    );
    const { output } = await workspace.run('validate', '-no-color');
    expect(output).toMatch(
      /An odd name[\s\S]*line 8, in resource "probe_thing" "x":\s+\D*8: {3}name = "odd"/,
    );
    expect(output).toMatch(/A bad port[\s\S]*line 10[\s\S]*10: {3}port/);
    workspace.write('main.tf', `${head}output "o" { value = provider::probe::shout("") }`);
    const shouted = await workspace.run('plan', '-no-color');
    expect(shouted.output).toMatch(/Invalid value for "text" parameter: nothing to shout/);
    workspace.write('main.tf', `${head}output "o" { value = provider::probe::shout("hey") }`);
    expect((await workspace.run('plan', '-no-color')).stdout).toContain('"HEY"');
  });

  test('an interrupt stops running operations, and leaves a state from which to continue', async () => {
    const { workspace, store } = await start();
    workspace.write(
      'main.tf',
      `${head}resource "probe_thing" "a" { name = "a" }\nresource "probe_thing" "slow" {\n  name = "slow"\n  depends_on = [probe_thing.a]\n}`,
    );
    let interrupt = () => {};
    Object.assign(store, { onSlow: () => interrupt() });
    const stopped = await workspace.watch(['apply', '-auto-approve', '-no-color'], (_stdout, kill) => {
      interrupt = kill;
    });
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining('Stopped in time') });
    expect((await workspace.run('state', 'list')).stdout.trim()).toBe('probe_thing.a');
  });
});
