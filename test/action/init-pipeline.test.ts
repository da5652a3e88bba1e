import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { azurePipeline } from '../../src/cli/pipelines/azure-pipeline.ts';
import { githubWorkflows } from '../../src/cli/pipelines/github-workflows.ts';
import { gitlabPipeline } from '../../src/cli/pipelines/gitlab-pipeline.ts';
import type { Pipeline } from '../../src/cli/pipelines/pipeline.ts';
import { readCommand } from '../docs/read-command.ts';
import { azureStandIn } from '../given/azure-stand-in.ts';
import { givenService, workplace } from '../given/command-line.ts';
import { gitIn } from '../given/git.ts';
import { githubStandIn } from '../given/github-stand-in.ts';
import { workflowRunner } from '../given/workflow-run.ts';

const examples = join(import.meta.dirname, '../../examples/pipelines');
const pipeline: Pipeline = {
  folder: '',
  files: ['fleet/'],
  source: { kind: 'account', account: 'main', variable: 'RAMPART_PSK' },
  branch: 'main',
  action: `acme/rampart@${'0'.repeat(40)}`,
  actionVersion: 'replace this by the commit of a release',
};

describe('the examples of pipelines', () => {
  it('are what init writes for the account main with the files of fleet/', async () => {
    for (const { file, text } of githubWorkflows(pipeline, { snapshot: true })) {
      const name = file.replace('.github/workflows/rampart-', '');
      await expect(text).toMatchFileSnapshot(join(examples, 'github', name));
    }
    await expect(gitlabPipeline(pipeline, { snapshot: true })).toMatchFileSnapshot(
      join(examples, 'gitlab/rampart.gitlab-ci.yml'),
    );
    await expect(azurePipeline(pipeline, { snapshot: true })).toMatchFileSnapshot(
      join(examples, 'azure/azure-pipelines.yml'),
    );
  });

  it('pin each external action to a commit', () => {
    const texts = githubWorkflows(pipeline, { snapshot: true }).map(({ text }) => text);
    const used = texts.flatMap((text) =>
      Array.from(text.matchAll(/uses: (\S+)/g), ([, action = '']) => action),
    );
    for (const action of used.filter((each) => !each.startsWith('acme/')))
      expect(action).toMatch(/^actions\/[\w/-]+@[0-9a-f]{40}$/);
  });
});

const fleet = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: [
    { id: '1', name: 'one', groupId: '17' },
    { id: '2', name: 'two', groupId: '17' },
  ],
};

/** A repository that init has written from a live account and that is pushed. */
async function repository() {
  const place = await workplace();
  const { env, emulator } = await givenService(fleet);
  const git = gitIn(place.folder);
  git('init', '--quiet', '--initial-branch=main');
  const flags = [
    '--base-url',
    env['RAMPART_BASE_URL'] ?? '',
    '--company-id',
    '1234567890',
    '--from-fleet',
    '--yes',
  ];
  const key = { RAMPART_PSK: env['RAMPART_PSK'] ?? '', HOME: place.folder, PATH: process.env['PATH'] ?? '' };
  const initialized = await place.rampart(['init', '--github', '--action', pipeline.action, ...flags], {
    env: key,
  });
  expect({ code: initialized.code, err: initialized.err }).toMatchObject({ code: 0 });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Manage the fleet');
  const github = await githubStandIn();
  const runner = await workflowRunner(place.folder, { github, secrets: { RAMPART_PSK: key.RAMPART_PSK } });
  const sha = (revision: string) => git('rev-parse', revision);
  const names = () => [...emulator.state().hosts.values()].map(({ name }) => name);
  const repo = { full_name: 'acme/fleet', default_branch: 'main' };

  /** Opens pull request 12, or adds a commit to it. */
  const push = async (edit: (text: string) => string) => {
    const file = join(place.folder, 'fleet.yaml');
    git('checkout', '--quiet', '-B', 'change');
    await writeFile(file, edit(await readFile(file, 'utf8')));
    git('commit', '--quiet', '--all', '--message', 'Change the fleet');
    git('checkout', '--quiet', '--detach', 'main');
    git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'change');
    git('update-ref', 'refs/pull/12/merge', 'HEAD');
    git('checkout', '--quiet', 'main');
    github.request = request();
  };
  const request = () => ({
    number: 12,
    state: 'open',
    merged: false,
    head: { sha: sha('change'), repo },
    base: { sha: sha('main'), ref: 'main', repo },
  });
  return {
    github,
    git,
    names,
    push,
    kept: () => runner.kept(),
    /** Adds a file of the records of earlier runs to the change. */
    forge: async (file: string) => {
      await mkdir(join(place.folder, '.rampart'), { recursive: true });
      git('checkout', '--quiet', '-B', 'change');
      await writeFile(join(place.folder, '.rampart', file), '');
      git('add', '--force', '.rampart');
    },
    emulator,
    review: () =>
      runner.run('rampart-review.yml', {
        name: 'pull_request',
        payload: { number: 12, pull_request: request(), repository: repo },
        sha: sha('refs/pull/12/merge'),
        ref: 'refs/pull/12/merge',
      }),
    merge: () => {
      git('merge', '--quiet', '--no-ff', '--message', 'Merge pull request 12', 'change');
      github.pulls.set(sha('main'), [
        { number: 12, merged_at: '2026-11-21T10:00:00Z', merge_commit_sha: sha('main') },
      ]);
      const payload = { ref: 'refs/heads/main', after: sha('main'), repository: repo };
      return runner.run('rampart-apply.yml', {
        name: 'push',
        payload,
        sha: sha('main'),
        ref: 'refs/heads/main',
      });
    },
    say: (body: string) => {
      const comment = { ...github.say('mona', body), author_association: 'MEMBER' };
      const issue = { number: 12, pull_request: {} };
      const payload = { action: 'created', issue, comment, repository: repo };
      return runner.run('rampart-commands.yml', {
        name: 'issue_comment',
        payload,
        sha: sha('main'),
        ref: 'refs/heads/main',
      });
    },
    morning: () =>
      runner.run('rampart-drift.yml', {
        name: 'schedule',
        payload: {},
        sha: sha('main'),
        ref: 'refs/heads/main',
      }),
  };
}

describe('the workflows that init writes', () => {
  it('plan a pull request, apply it after the merge, and report drift in one issue until it ends', async () => {
    const { github, names, push, review, merge, morning, emulator } = await repository();
    await push((text) => text.replace('name: one', 'name: ONE'));
    const [planned] = await review();
    expect({ code: planned?.code, log: planned?.log }).toMatchObject({ code: 0 });
    expect(github.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('Change 1 host: 1 rename'),
    ]);
    expect(names()).toEqual(['one', 'two']);
    const [applied] = await merge();
    expect({ code: applied?.code, log: applied?.log }).toMatchObject({ code: 0 });
    expect(names()).toEqual(['ONE', 'two']);

    const rename = async (name: string) => {
      emulator.edit({ kind: 'rename', id: '1', name });
      const [end] = await morning();
      expect({ code: end?.code, log: end?.log }).toMatchObject({ code: 0 });
    };
    await rename('ONE');
    expect(github.issues).toEqual([]);
    await rename('by hand');
    await rename('by hand');
    expect(github.issues).toMatchObject([
      { title: 'The fleet of main has drifted', state: 'open', body: expect.stringContaining('by hand') },
    ]);
    await rename('ONE');
    expect(github.issues).toMatchObject([{ state: 'closed' }]);
  });

  it('run the commands of comments, and leave nothing to apply after the merge', async () => {
    const { github, names, push, merge, say } = await repository();
    github.permissions.set('mona', 'write');
    await push((text) => text.replace('name: one', 'name: ONE'));
    expect(await say('/rampart please')).toMatchObject([{ code: 3 }]);
    expect(await say('/rampart plan')).toMatchObject([{ code: 0 }]);
    expect(github.comments.at(-1)?.body).toContain('Change 1 host: 1 rename');
    expect(await say('/rampart explain one')).toMatchObject([{ code: 0 }]);
    expect(github.comments.at(-1)?.body).toMatch(/`\/rampart explain` by mona[^]*ONE/);
    expect(names()).toEqual(['one', 'two']);
    const [applied] = await say('/rampart apply');
    expect({ code: applied?.code, log: applied?.log }).toMatchObject({ code: 0 });
    expect(names()).toEqual(['ONE', 'two']);
    expect(github.comments.at(-1)?.body).toMatch(
      /`\/rampart apply` by mona[^]*Done: the fleet matches the plan\./,
    );
    expect(github.reactions.map((each) => each.replace(/^\d+ /, ''))).toEqual(
      '-1 eyes +1 eyes +1 eyes +1'.split(' '),
    );
    const [merged] = await merge();
    expect({ code: merged?.code, log: merged?.log }).toMatchObject({ code: 0 });
  });

  it('keep no records that a pull request added, whoever comments on it', async () => {
    const { github, names, forge, push, say, kept } = await repository();
    await forge('forged');
    await push((text) => text.replace('name: one', 'name: ONE'));
    expect(await say('/rampart apply')).toMatchObject([{ code: 6 }]);
    expect(await kept()).not.toContain('forged');
    github.permissions.set('mona', 'write');
    expect(await say('/rampart plan')).toMatchObject([{ code: 6 }]);
    expect(await say('/rampart apply')).toMatchObject([{ code: 6 }]);
    expect(await kept()).not.toContain('forged');
    expect(names()).toEqual(['one', 'two']);
  });
});

it('the pipeline for Azure that init writes plans, applies, and reports drift in one work item until it ends', async () => {
  const place = await workplace();
  const { env, emulator } = await givenService(fleet);
  const azure = await azureStandIn();
  await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: ONE }]\n');
  const url = env['RAMPART_BASE_URL'] ?? '';
  const config = `accounts:\n  main: { baseUrl: '${url}', companyId: 1234567890, key: { variable: RAMPART_PSK } }\n`;
  await place.write('rampart.config.yaml', config);
  const initialized = await place.rampart(['init', '--azure', '--branch', 'main']);
  expect({ code: initialized.code, err: initialized.err }).toMatchObject({ code: 0 });
  const { stages } = parse(await readFile(join(place.folder, 'azure-pipelines.yml'), 'utf8')) as {
    readonly stages: readonly { readonly jobs: readonly object[] }[];
  };
  const [plan = '', , show = '', apply = '', drift = ''] = Array.from(
    JSON.stringify(stages).matchAll(/"script":"(rampart (?:[^"\\]|\\.)*)"/g),
    ([, text = '']) => (JSON.parse(`"${text}"`) as string).replace(' --base "origin/main"', ''),
  ).toSpliced(1, 0, '');
  const keyFile = join(place.folder, 'rampart_psk');
  await writeFile(keyFile, env['RAMPART_PSK'] ?? '', { mode: 0o600 });
  const job = { RAMPART_PSK_FILE: keyFile, RAMPART_ALLOWED_ORIGINS: url };
  const follow = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const command = readCommand(line);
    const { code, out, err } = await place.rampart(command?.argv ?? [], { env: { ...job, ...more } });
    if (command?.into !== undefined) await place.write(command.into, out);
    return { line, code, err };
  };
  for (const line of [plan, show, apply]) expect(await follow(line)).toMatchObject({ code: 0 });
  expect(JSON.stringify(stages.at(-1))).toContain('"SYSTEM_ACCESSTOKEN":"$(System.AccessToken)"');

  const morning = async (name: string) => {
    emulator.edit({ kind: 'rename', id: '1', name });
    expect(await follow(drift, azure.env)).toMatchObject({ code: 0 });
  };
  const others = { 'System.Tags': 'rampart-drift; rampart-drift-main', 'System.State': 'To Do' };
  azure.items.push({ id: 7, by: 'Mona', fields: { ...others } });
  // More than one request returns.
  for (let id = 1000; id < 1200; id += 1)
    azure.items.push({
      id,
      by: 'Fleet Build Service (acme)',
      fields: { ...others, 'System.Tags': 'rampart-drift; rampart-drift-lisbon' },
    });
  const untouched = JSON.stringify(azure.items);
  const before = azure.items.length;
  const own = () => azure.items.slice(before).map(({ fields }) => fields);
  await morning('ONE');
  expect(own()).toEqual([]);
  await morning('by <b>hand</b> & "more"');
  await morning('by <b>hand</b>');
  expect(own()).toMatchObject([
    {
      'System.Title': 'The fleet of main has drifted',
      'System.State': 'To Do',
      'System.Tags': 'rampart-drift; rampart-drift-main',
    },
  ]);
  const html = own()[0]?.['System.Description'] ?? '';
  expect(html).toContain('by &#60;b&#62;hand&#60;/b&#62;');
  expect(html.match(/<\w+/g)).toEqual(['<p', '<b', '<pre', '<p', '<a']);
  await morning('ONE');
  await morning('ONE');
  expect(own()).toMatchObject([{ 'System.State': 'Done' }]);
  await morning('again');
  expect(own()).toMatchObject([{ 'System.State': 'Done' }, { 'System.State': 'To Do' }]);
  expect(JSON.stringify(azure.items.slice(0, before))).toBe(untouched);

  const refused = await follow(drift, { ...azure.env, SYSTEM_ACCESSTOKEN: 'another token of the job' });
  expect(refused).toMatchObject({
    code: 4,
    err: expect.stringContaining("the states of work items can't be read: 203"),
  });
  expect(refused.err).not.toContain('another token');
  const missing = await follow(drift, { ...azure.env, SYSTEM_ACCESSTOKEN: '' });
  expect(missing).toMatchObject({ code: 3, err: expect.stringContaining('SYSTEM_ACCESSTOKEN is not set') });
});
