import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Checkout, checkout } from '../given/action-step.ts';
import { givenService, workplace } from '../given/command-line.ts';
import { githubStandIn } from '../given/github-stand-in.ts';
import { gitlabStandIn } from '../given/gitlab-stand-in.ts';

const hosts = [
  { id: '1', name: 'one' },
  { id: '2', name: 'two' },
];

async function given(text: string) {
  const place = await checkout();
  await place.write('fleet.yaml', text);
  const { env, emulator } = await givenService({ hosts });
  return { place, env, emulator };
}

describe('drift', () => {
  const desired = 'version: 1\nhosts: [{ id: 1, name: ONE }]\n';

  async function applied() {
    const parts = await given(desired);
    const { outputs } = await parts.place.step({ env: parts.env });
    const inputs = { mode: 'apply', checksum: outputs['checksum'] ?? '' };
    expect((await parts.place.step({ env: parts.env, inputs })).code).toBe(0);
    return parts;
  }
  const drift = { mode: 'drift', 'fail-on-changes': 'true' };

  it('keeps its issue open while the list has no hosts, unless that is confirmed', async () => {
    const rule = `{ name: r, when: 'host.name == "one"', rename: ONE }`;
    const text = `version: 1\nrules:\n  - ${rule}\n`;
    const { emulator, env } = await given(text);
    const github = await githubStandIn();
    const gitlab = await gitlabStandIn();
    const place = await checkout(github);
    const shell = await workplace();
    for (const { write } of [place, shell]) await write('fleet.yaml', text);
    const step = (flags = '') =>
      place.step({ event: 'schedule', env, inputs: { mode: 'drift', issue: 'update', flags } });
    const command = (...more: readonly string[]) =>
      shell.rampart(['drift', '--issue', ...more], { env: { ...env, ...gitlab.env } });
    const states = () => [...github.issues, ...gitlab.issues].map(({ state }) => state);
    expect([(await step()).code, (await command()).code]).toEqual([0, 0]);
    expect(states()).toEqual(['open', 'opened']);
    for (const { id } of hosts) emulator.edit({ kind: 'delete', id });
    const { code, log, summary } = await step();
    expect({ code, log }).toMatchObject({ code: 0 });
    expect(summary).toContain('**The list may be incomplete, so drift is unknown.**');
    const empty = await command();
    expect([empty.code, empty.err]).toEqual([0, expect.stringContaining('nothing was compared')]);
    expect(empty.out).toContain('it is unknown whether the fleet matches the file');
    for (const text of [summary, log, empty.out]) expect(text).not.toMatch(/no drift/i);
    expect(states()).toEqual(['open', 'opened']);
    await step('--allow-empty-fleet');
    await command('--allow-empty-fleet');
    expect(states()).toEqual(['closed', 'closed']);
  });

  it('is none right after an apply', async () => {
    const { place, env } = await applied();
    const { code, outputs, summary } = await place.step({ event: 'schedule', env, inputs: drift });
    expect(code).toBe(0);
    expect(outputs).toEqual({
      changes: '0',
      'installs-in-progress': '0',
      'installs-in-doubt': '0',
      'exit-code': '0',
    });
    expect(summary).toContain('There is no drift.');
  });

  it('is annotated on the line of the entry, and fails on request', async () => {
    const { place, env, emulator } = await applied();
    emulator.edit({ kind: 'rename', id: '1', name: 'somebody was here' });
    const { code, outputs, summary, annotations, log } = await place.step({
      event: 'schedule',
      env,
      inputs: drift,
    });
    expect({ code, log }).toMatchObject({ code: 2 });
    expect(outputs).toMatchObject({ changes: '1', 'exit-code': '2' });
    expect(summary).toContain('Drift: the fleet changed, not the file');
    expect(log).toContain('somebody was here');
    expect(annotations).toContainEqual(
      expect.objectContaining({
        kind: 'warning',
        file: 'fleet.yaml',
        line: 2,
        message: expect.stringContaining('somebody was here'),
      }),
    );
    const lenient = await place.step({ event: 'schedule', env, inputs: { mode: 'drift' } });
    expect(lenient).toMatchObject({ code: 0, outputs: { 'exit-code': '2' } });
  });

  it("that can't be checked fails", async () => {
    const { place } = await given(desired);
    const { code, summary, log } = await place.step({ event: 'schedule', inputs: drift });
    expect({ code, log }).toMatchObject({ code: 3 });
    expect(summary).toContain('The fleet could not be compared.');
  });
});

describe('adopting drift', () => {
  const folder = join(import.meta.dirname, '../../examples/pipelines/github');

  async function openRequest(place: Checkout): Promise<string> {
    const { jobs } = parse(await readFile(join(folder, 'adopt-drift.yml'), 'utf8')) as {
      readonly jobs: { readonly adopt: { readonly steps: readonly { readonly run?: string }[] } };
    };
    await place.write('gh', '#!/bin/sh\nprintf "%s\\n" "$*" >> gh.log\n');
    const script = jobs.adopt.steps.at(-1)?.run ?? '';
    const env = {
      PATH: `${place.folder}:${process.env['PATH']}`,
      HOME: place.folder,
      GITHUB_RUN_ID: '77',
      GITHUB_RUN_ATTEMPT: '2',
      GITHUB_ACTOR: 'mona',
    };
    execFileSync('chmod', ['+x', join(place.folder, 'gh')]);
    return execFileSync('bash', ['-e', '-c', script], {
      cwd: place.folder,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  }

  it('writes the changes of the chosen hosts into the files, and opens a pull request with them', async () => {
    const { place, env, emulator } = await given(
      'version: 1\nhosts:\n  - { id: 1, name: one } # the first\n  - { id: 2, name: two }\n',
    );
    place.git('init', '--quiet', '--initial-branch=main');
    place.git('add', 'fleet.yaml');
    place.git('commit', '--quiet', '--message', 'x');
    place.git('init', '--quiet', '--bare', 'origin.git');
    place.git('remote', 'add', 'origin', './origin.git');
    const inputs = { mode: 'adopt', hosts: '1\ntwo' };
    expect((await place.step({ env, inputs })).code).toBe(0);
    expect(await openRequest(place)).toContain('There is nothing to adopt.');
    emulator.edit({ kind: 'rename', id: '1', name: 'by hand' });
    const { code, summary, log } = await place.step({ env, inputs });
    expect({ code, log }).toMatchObject({ code: 0 });
    expect(summary).toContain('fleet.yaml: adopted 1 change');
    await openRequest(place);
    expect(place.git('show', 'origin/rampart/adopt-drift-77-2:fleet.yaml')).toContain(
      '{ id: 1, name: by hand } # the first',
    );
    expect(await readFile(join(place.folder, 'gh.log'), 'utf8')).toMatch(
      /^auth setup-git\npr create --head rampart\/adopt-drift-77-2 /,
    );
  });

  it('does nothing for strangers, for several accounts, or for hosts in another mode', async () => {
    const { place, env } = await given('version: 1\nhosts: [{ id: 1, name: ONE }]\n');
    const fork = await place.step({ event: 'pull_request.fork', env, inputs: { mode: 'adopt', hosts: '1' } });
    expect(fork.code).toBe(6);
    expect(fork.log).toContain('nothing is adopted');
    const many = await place.step({ env, inputs: { mode: 'adopt', accounts: 'true' } });
    expect(many.annotations[0]?.message).toContain('one account');
    const other = await place.step({ env, inputs: { mode: 'drift', hosts: '1' } });
    expect(other.annotations[0]?.message).toContain('only adopt takes hosts');
    expect(await readFile(join(place.folder, 'fleet.yaml'), 'utf8')).toContain('name: ONE');
  });
});

describe('validate', () => {
  it('needs no account', async () => {
    const { place } = await given('version: 1\nhosts: []\n');
    const { code, summary, outputs } = await place.step({ inputs: { mode: 'validate' } });
    expect(code).toBe(0);
    expect(summary).toContain('The desired state is valid.');
    expect(outputs).toEqual({ 'exit-code': '0' });
  });

  it('marks each problem on its line', async () => {
    const { place } = await given('version: 1\nhosts:\n  - { id: x }\n  - { id: 1, nam: y }\n');
    const { code, annotations, summary } = await place.step({ inputs: { mode: 'validate' } });
    expect(code).toBe(3);
    expect(annotations.map(({ line }) => line)).toEqual([3, 4]);
    expect(summary).toContain('not valid: 2 problems');
  });
});
