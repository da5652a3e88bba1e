import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { providerAddress } from '../../../src/terraform/provider/address.ts';
import { fleetWorkspace, psk } from './given/fleet-workspace.ts';
import { installedProvider } from './given/installed-provider.ts';
import { printedJson } from './given/printed-json.ts';
import { storedState } from './given/stored-state.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const hosts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, name: `H-${index + 1}` }));

const all = (count: number, prefix: string) =>
  `resource "rampart_host" "all" {\n  for_each = toset([for i in range(${count}) : tostring(i + 1)])\n  host_id = each.key\n  name = "${prefix}-\${each.key}"\n}\n`;

describeTerraform('the built provider, installed from a filesystem mirror', (test) => {
  const installed = installedProvider();

  test('init, validate, apply, an empty plan and destroy, each in processes of its own', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(4), installed: installed.env });
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

  test('twelve hosts rotate their names ten at a time: the apply process knows the renames of the plan process', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(12), installed: installed.env });
    installed.initialize(fleet.folder);
    fleet.write('terraform.tfstate', storedState({ all: hosts(12) }));
    await fleet.settle(all(12, 'H').replace('${each.key}"', '${each.key % 12 + 1}"'));
    expect(fleet.nameOf('1')).toBe('H-2');
    expect(fleet.nameOf('12')).toBe('H-1');
    expect(fleet.callsOf('renameHost')).toBe(13);
    expect(recordsIn(fleet.temporaryFolder)).toEqual([]);
  });

  test('a saved plan is applied on another machine that shares the state folder', async () => {
    const count = 12;
    const fleet = await fleetWorkspace({ hosts: hosts(count), installed: installed.env });
    const shared = join(fleet.temporaryFolder, 'shared');
    const rotated = all(count, 'H').replace('${each.key}"', `\${each.key % ${count} + 1}"`);
    installed.initialize(fleet.folder);
    fleet.write('terraform.tfstate', storedState({ all: hosts(count) }));
    fleet.configure(`provider "rampart" {\n  max_wait = "2s"\n  state_dir = "${shared}"\n}\n${rotated}`);
    const planned = await fleet.plan('-out=saved');
    expect(planned).toMatchObject({ status: 2, stderr: '' });
    expect(planned.stdout).not.toContain('Warning');
    const applied = await fleet.onAnotherMachine().run('apply', '-no-color', 'saved');
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.callsOf('renameHost')).toBe(count + 1);
    expect(recordsIn(shared)).toEqual([]);
  });

  test('killed in the middle of an apply: the next one goes on and touches nothing twice', async () => {
    const fleet = await fleetWorkspace({
      hosts: hosts(12),
      installed: installed.env,
      hooks: {
        afterEach: ({ action, nth }) => {
          if (action === 'renameHost' && nth === 5) killProviders(fleet.folder);
        },
      },
    });
    installed.initialize(fleet.folder);
    fleet.configure(all(12, 'NEW'));
    const killed = await fleet.apply();
    expect(killed.status).toBe(1);
    // Which of the two depends on whether Terraform first sees the process end, or the connection.
    expect(killed.stderr).toMatch(/Plugin did not respond|Request cancelled/);
    await fleet.settle(all(12, 'NEW'));
    expect(fleet.emulator.state().hosts.every(({ id, name }) => name === `NEW-${id}`)).toBe(true);
    expect(fleet.callsOf('renameHost')).toBe(12);
  });

  test('two provider blocks of one account that manage the same host are an error of the plan that names the host', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(2), installed: installed.env });
    const blocks = 'provider "rampart" {\n  alias = "other"\n}\n';
    const host = (name: string, id: string, more = '') =>
      `resource "rampart_host" "${name}" {\n  host_id = "${id}"\n  name = "NEW-${id}"\n${more}}\n`;
    const other = '  provider = rampart.other\n';
    installed.initialize(fleet.folder);
    fleet.configure(blocks + host('one', '1') + host('two', '2', other));
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    fleet.configure(blocks + host('one', '1') + host('two', '2', other) + host('rival', '1', other));
    const { status, stderr } = await fleet.plan();
    expect([status, stderr.replace(/[\s│]+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('Two provider blocks of this configuration manage the name of host 1'),
    ]);
  });

  test('its schema is as reviewed: to change it, run this test with -u, and read the difference', async () => {
    const fleet = await fleetWorkspace({ hosts: [], installed: installed.env });
    fleet.configure('');
    installed.initialize(fleet.folder);
    const { stdout } = await fleet.run('providers', 'schema', '-json');
    const { provider_schemas: schemas } = JSON.parse(stdout);
    await expect(printedJson(schemas[providerAddress])).toMatchFileSnapshot(
      '../../golden/terraform/providers-schema.json',
    );
  });

  test('the key of the environment or of an ephemeral variable is in no plan, state, trace or output', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(2), installed: installed.env });
    const basic = Buffer.from(`${fleet.emulator.credentials.companyId}:${psk}`).toString('base64');
    const sources = [
      ['NEW', '', {}],
      [
        'NEWER',
        'variable "key" {\n  type = string\n  ephemeral = true\n}\nprovider "rampart" {\n  psk = var.key\n}\n',
        { TF_VAR_key: psk, RAMPART_PSK: '' },
      ],
    ] as const;
    for (const [prefix, provider, env] of sources) {
      const trace = join(fleet.folder, `trace-${prefix}.log`);
      const traced = fleet.with({ ...env, TF_LOG: 'trace', TF_LOG_PROVIDER: 'trace', TF_LOG_PATH: trace });
      fleet.configure(provider + all(2, prefix));
      const commands = [
        ...(prefix === 'NEW' ? [['init']] : []),
        ['plan', '-out=saved'],
        ['show', '-json', 'saved'],
        ['apply', 'saved'],
      ];
      for (const command of commands) {
        const { status, output } = await traced.run(...command, '-no-color');
        expect([command, status]).toEqual([command, 0]);
        expect([command, output.includes(psk), output.includes(basic)]).toEqual([command, false, false]);
      }
      expect(fleet.nameOf('2')).toBe(`${prefix}-2`);
      const lines = readFileSync(trace, 'utf8').split('\n');
      const logged = (...words: readonly string[]) =>
        lines.some((line) => line.includes('[DEBUG]') && words.every((word) => line.includes(word)));
      // Terraform prints the fields of a record in any order.
      const answered = ['Answered a call', '@module=provider.rpc', 'tf_rpc=ApplyResourceChange'];
      expect(logged(...answered, 'tf_type=rampart_host', 'tf_req_id=', 'tf_req_duration_ms=')).toBe(true);
      const sent = ['Sent a request', '@module=provider.service', 'action=renameHost', 'status=2'];
      expect(logged(...sent, 'attempt=1', 'duration_ms=', 'waited_ms=')).toBe(true);
    }
    for (const path of readdirSync(fleet.folder, { recursive: true, encoding: 'utf8' })) {
      const file = join(fleet.folder, path);
      if (!statSync(file).isFile()) continue;
      const bytes = readFileSync(file);
      // A plan is a ZIP archive.
      const inside = path === 'saved' ? Object.entries(unzipSync(bytes)) : [[path, bytes] as const];
      for (const [name, content] of inside) {
        const text = Buffer.from(content).toString('latin1');
        expect([name, text.includes(psk), text.includes(basic)]).toEqual([name, false, false]);
      }
    }
  });
});

/** The records of plans in a folder or below it. */
function recordsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.renames'),
  );
}

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
