import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { describe, expect, it } from 'vitest';
import { ManagedFleet } from '../../src/cdktf/managed-fleet.ts';
import { readFleetText } from '../../src/terraform/fleet/fleet-inputs.ts';
import { checkout } from '../given/action-step.ts';
import { workplace } from '../given/command-line.ts';
import { githubStandIn } from '../given/github-stand-in.ts';

const canary = 'canary-77d0';
const refusal = 'is not a file of this project or is outside it';

/** A project next to a secret, with another one in its Git folder, and a pipe. */
async function given() {
  const { folder, write, rampart } = await workplace();
  await mkdir(join(folder, 'project/.git'), { recursive: true });
  await write('beside.yaml', `${canary}: [`);
  await write('project/.git/config', `${canary}: [`);
  execFileSync('/usr/bin/mkfifo', [join(folder, 'project/pipe')]);
  const cwd = join(folder, 'project');
  return {
    cwd,
    write: (name: string, text: string) => write(`project/${name}`, text),
    rampart: (...argv: readonly string[]) => rampart(argv, { folder: cwd }),
  };
}

const outside = ['../beside.yaml', '.git/config', '/etc/passwd', '/proc/self/environ', '/dev/zero', 'pipe'];

describe('a file outside the project is neither opened nor quoted', () => {
  it.each(outside)('by a desired state that is a link to %s', async (target) => {
    const { cwd, rampart } = await given();
    await symlink(target, join(cwd, 'fleet.yaml'));
    const { code, out, err } = await rampart('validate');
    expect(code).toBe(3);
    expect(err).toContain(`fleet.yaml ${target === 'pipe' ? 'is not a regular file' : refusal}`);
    expect(out + err).not.toMatch(/canary|root:|PATH=/);
  });

  it.each(outside)('by a table with the path %s', async (path) => {
    const { rampart, write } = await given();
    await write('fleet.yaml', `version: 1\nhostsFrom: ${path}\n`);
    const { code, out, err } = await rampart('validate');
    expect(code).toBe(3);
    expect(err).toContain(`${path} ${path === 'pipe' ? 'is not a regular file' : refusal}`);
    expect(out + err).not.toMatch(/canary|root:|PATH=/);
  });

  it.each(outside)('by a test with a desired state or a fleet at %s, or as a link to it', async (path) => {
    const { cwd, rampart, write } = await given();
    const rest = 'expect: { never: [{ delete: true }] } }]\n';
    const why = path === 'pipe' ? 'is not a regular file' : refusal;
    const fleet = '{ hosts: [{ id: 1, name: one }] }';
    await write('a.rampart-test.yaml', `cases: [{ name: a, observed: ${fleet}, desired: ${path}, ${rest}`);
    await write('b.rampart-test.yaml', `cases: [{ name: b, observed: ${path}, ${rest}`);
    await write('fleet.yaml', 'version: 1\nhosts: []\n');
    for (const file of ['a.rampart-test.yaml', 'b.rampart-test.yaml']) {
      const { code, out, err } = await rampart('test', file);
      expect(code).toBe(3);
      expect(err).toContain(`${path} ${why}`);
      expect(out + err).not.toMatch(/canary|root:|PATH=/);
    }
    await symlink(path, join(cwd, 'c.rampart-test.yaml'));
    const { code, out, err } = await rampart('test', 'c.rampart-test.yaml');
    expect(code).toBe(3);
    expect(err).toContain(`c.rampart-test.yaml ${why}`);
    expect(out + err).not.toMatch(/canary|root:|PATH=/);
  });

  it.each(outside)('by the Action, if the desired state is a link to %s', async (target) => {
    const github = await githubStandIn();
    const place = await checkout(github);
    await mkdir(join(place.folder, '.git'), { recursive: true });
    await place.write('.git/config', canary);
    execFileSync('/usr/bin/mkfifo', [join(place.folder, 'pipe')]);
    await symlink(target, join(place.folder, 'fleet.yaml'));
    const ended = await place.step({ event: 'pull_request', env: {}, inputs: { mode: 'validate' } });
    expect(ended.code).toBe(3);
    expect(JSON.stringify([ended, github.comments])).not.toMatch(/canary|root:|PATH=/);
  });

  it.each(outside)('by a stack of CDKTF, if the file is a link to %s', async (target) => {
    const { cwd } = await given();
    await symlink(target, join(cwd, 'fleet.yaml'));
    const stack = new TerraformStack(new App(), 'stack');
    const made = () => ManagedFleet.fromYaml(stack, 'fleet', join(cwd, 'fleet.yaml'));
    expect(made).toThrow(target === 'pipe' ? 'is not a regular file' : refusal);
  });

  it('by the text of a fleet in Terraform, which opens no files at all', () => {
    const read = readFleetText({ text: 'version: 1\nhostsFrom: /etc/passwd\n' });
    expect(read.problems).toMatchObject([{ message: expect.stringContaining('no files are opened') }]);
  });
});

it.each([
  ['plan'],
  ['apply', '--auto-approve'],
  ['drift'],
  ['explain', 'one'],
  ['import', 'ids'],
  ['import', 'new'],
  ['hosts', 'inventory', 'pull', '-f', 'fleet.ts'],
  ['doctor'],
])('a script runs before the key is read by %s', async (...argv) => {
  const { folder, write, rampart } = await workplace();
  await write('fleet.ts', 'console.log("the script runs");\nthrow new Error("it ends here");\n');
  // A read of this file would be reported, because it does not exist.
  const env = {
    RAMPART_BASE_URL: 'https://127.0.0.1:9',
    RAMPART_COMPANY_ID: '1',
    RAMPART_PSK_FILE: join(folder, 'no-key'),
  };
  const { err, out } = await rampart(argv, { env });
  const told = out + err;
  expect(told).toContain('it ends here');
  if (argv[0] !== 'doctor') expect(told).not.toContain('no-key');
});
