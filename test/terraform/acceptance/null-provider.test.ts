import { join } from 'node:path';
import { expect } from 'vitest';
import { startProvider } from '../protocol/given/provider-process.ts';
import { mirrorOf } from './given/provider-mirror.ts';
import { createWorkspace, describeTerraform, type Workspace } from './given/terraform-cli.ts';

const address = 'registry.terraform.io/hashicorp/null';
const main = join(import.meta.dirname, '../null-provider/main.ts');

const configuration = (trigger: string) => `
terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}

resource "null_resource" "first" {
  triggers = { trigger = "${trigger}" }
}

resource "null_resource" "second" {
  triggers = { first = null_resource.first.id, refined = "id-\${null_resource.first.id}" }
}

data "null_data_source" "echo" {
  inputs = { first = null_resource.first.id }
}

output "same" {
  value = data.null_data_source.echo.outputs["first"] == null_resource.second.triggers["first"]
}
`;

/** With one process for every command, because starting the provider takes longer than its responses. */
async function wholeLife(workspace: Workspace): Promise<void> {
  workspace.write('main.tf', configuration('one'));
  expect(await workspace.run('validate')).toMatchObject({ status: 0 });
  const plan = await workspace.run('plan', '-detailed-exitcode', '-no-color');
  expect(plan).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('2 to add, 0 to change, 0 to destroy'),
  });
  const applied = await workspace.run('apply', '-auto-approve', '-no-color');
  expect(applied).toMatchObject({ status: 0, stdout: expect.stringMatching(/same = true/) });
  expect(await workspace.run('plan', '-detailed-exitcode')).toMatchObject({ status: 0, stderr: '' });

  workspace.write('main.tf', configuration('two'));
  const replaced = await workspace.run('apply', '-auto-approve', '-no-color');
  expect(replaced).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('2 added, 0 changed, 2 destroyed'),
  });
  expect(replaced.stdout).toContain('forces replacement');
  expect(await workspace.run('plan', '-detailed-exitcode')).toMatchObject({ status: 0 });

  const destroyed = await workspace.run('destroy', '-auto-approve', '-no-color');
  expect(destroyed).toMatchObject({ status: 0, stdout: expect.stringContaining('2 destroyed') });
  expect((await workspace.run('state', 'list')).stdout).toBe('');
}

describeTerraform('the stand-in for hashicorp/null, under the real terraform', (test) => {
  test('installed from a filesystem mirror, over mutual TLS', async () => {
    const workspace = createWorkspace(mirrorOf({ address, version: '3.2.4', main }));
    workspace.write('main.tf', configuration('one'));
    const init = await workspace.run('init', '-no-color');
    expect(init).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Installed hashicorp/null v3.2.4'),
    });
    const applied = await workspace.run('apply', '-auto-approve', '-no-color');
    expect(applied).toMatchObject({ status: 0, stdout: expect.stringMatching(/same = true/) });
  });

  test('the same without TLS', async () => {
    const mirror = mirrorOf({ address, version: '3.2.4', main });
    const workspace = createWorkspace({ ...mirror, TF_DISABLE_PLUGIN_TLS: '1' });
    workspace.write('main.tf', configuration('one'));
    expect(await workspace.run('init')).toMatchObject({ status: 0 });
    expect(await workspace.run('plan', '-detailed-exitcode')).toMatchObject({ status: 2 });
  });

  test('started with --debug: no init, and one process for every command', async () => {
    const provider = await startProvider('../../null-provider/main.ts', ['--debug']);
    const reattach = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(provider.line)?.[1] ?? '';
    await wholeLife(createWorkspace({ TF_REATTACH_PROVIDERS: reattach }));
  });

  test('a crash is shown to the user', async () => {
    const noisy = join(import.meta.dirname, '../protocol/given/noisy-main.ts');
    const crashing = 'registry.terraform.io/acme/noisy';
    const workspace = createWorkspace(mirrorOf({ address: crashing, version: '0.1.0', main: noisy }));
    workspace.write(
      'main.tf',
      'terraform {\n  required_providers {\n    noisy = { source = "acme/noisy" }\n  }\n}\nprovider "noisy" {}\n' +
        'output "x" { value = 1 }\nresource "noisy_thing" "x" {}\n',
    );
    expect(await workspace.run('init')).toMatchObject({ status: 0 });
    const { output } = await workspace.run('plan', '-no-color');
    expect(output).toContain('out of paper');
  });
});
