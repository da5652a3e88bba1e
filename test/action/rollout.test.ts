import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/core/lib/hash.ts';
import type { RolloutHead } from '../../src/run/state/rollout/rollout-record.ts';
import { givenAccounts } from '../given/accounts.ts';
import { checkout, commentEvent } from '../given/action-step.ts';
import { testPsk } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';
import { githubStandIn, type StoredComment } from '../given/github-stand-in.ts';

const repo = { full_name: 'acme/fleet', default_branch: 'main' };
const hosts = [
  { id: '1', name: 'OLD' },
  { id: '2', name: 'KEPT' },
];
const renamed = 'version: 1\nhosts: [{ id: 1, name: NEW }]\n';
const merge = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const usKey = `us+${'Qq7/'.repeat(30)}`;

interface Given {
  /** The desired state of the pull request. */
  readonly change?: string;
  /** The service refuses each rename of the account `eu2`, until a test empties the list of faults. */
  readonly isRefused?: boolean;
  readonly policy?: string;
}

/** A pull request that changes a file which three accounts in two regions name. */
async function given({ change = renamed, isRefused = false, policy = '' }: Given = {}) {
  const refusal = { action: 'renameHost', effect: { kind: 'status', status: 400 } } as const;
  const faults = isRefused ? [refusal] : [];
  const accounts = await givenAccounts({
    eu1: { hosts, groups: [], labels: { region: 'eu' } },
    eu2: { hosts, groups: [], labels: { region: 'eu' }, faults },
    eu3: { hosts, groups: [], labels: { region: 'eu' } },
    us1: { hosts, groups: [], labels: { region: 'us' } },
  });
  const github = await githubStandIn();
  const place = await checkout(github);
  const temporary = newFolder();
  const { git } = place;
  git('init', '--quiet', '--initial-branch=main');
  await place.write('.gitignore', '.rampart/\n');
  await place.write(
    'rampart.config.yaml',
    `${accounts.config.replace('files:', "key: { variable: '{NAME}_PSK' }, files:")}rollout: { canary: [eu1], parallel: 1 }\n`,
  );
  await place.write('fleet.yaml', `version: 1\n${policy}hosts: []\n`);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'reviewed');
  const base = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '-b', 'change');
  await place.write('fleet.yaml', change);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'change');
  const head = git('rev-parse', 'HEAD');
  github.request = { state: 'open', head: { sha: head, repo }, base: { sha: base, ref: 'main', repo } };
  github.permissions.set('mona', 'write');
  const { RAMPART_BASE_URL = '' } = accounts.env;
  const env = {
    RAMPART_BASE_URL,
    EU1_PSK: testPsk,
    EU2_PSK: testPsk,
    EU3_PSK: testPsk,
    US1_PSK: usKey,
    RUNNER_TEMP: temporary,
  };
  const inputs = { accounts: 'region == "eu"' };
  const written = join(temporary, 'rampart-default.plans');
  const downloaded = join(temporary, 'downloaded');
  const transfer = async () => {
    await rm(downloaded, { recursive: true, force: true });
    await cp(written, downloaded, { recursive: true });
  };
  /** The job that plans the pull request, and the step that keeps the plans. */
  const review = async (more: Readonly<Record<string, string>> = {}) => {
    const ended = await place.step({
      event: 'pull_request',
      env: { ...env, GITHUB_SHA: base },
      inputs: { ...inputs, ...more },
      change: (payload) =>
        payload
          .replaceAll('c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c', base)
          .replaceAll(merge, base)
          .replaceAll('aa218f56b14c9653891f9e74264a383fa43fefbd', head),
    });
    await transfer();
    return ended;
  };
  /** The job of a comment, in which the plans were downloaded. Its own plans replace them. */
  const command = async (comment: StoredComment, more: Readonly<Record<string, string>> = {}) =>
    place.step({
      ...commentEvent(comment, repo),
      env: { ...env, GITHUB_SHA: base, GITHUB_REF: 'refs/heads/main' },
      inputs: { ...inputs, mode: 'command', 'plan-path': downloaded, ...more },
    });
  const names = () =>
    accounts.names
      .map((name) =>
        [...(accounts.emulators.get(name)?.state().hosts.values() ?? [])].map((host) => host.name).join(),
      )
      .join(' ');
  const writes = () => accounts.names.map((name) => accounts.writesOf(name)).join(' ');
  const planned = () => github.comments.find(({ body }) => body.startsWith('<!-- rampart plan'))?.body ?? '';
  return {
    github,
    place,
    env,
    inputs,
    accounts,
    downloaded,
    review,
    command,
    names,
    writes,
    planned,
    base,
    faults,
    git,
  };
}

describe('a rollout from a pull request', () => {
  it('is reviewed in one comment, applied in waves by /rampart apply, stopped, and continued by the next command', async () => {
    const { github, review, command, names, writes, planned, faults } = await given({ isRefused: true });
    const reviewed = await review();
    expect({ code: reviewed.code, log: reviewed.log }).toMatchObject({ code: 0 });
    const { checksum = '' } = reviewed.outputs;
    expect(reviewed.outputs).toMatchObject({ changes: '3', renames: '3', 'exit-code': '2' });
    expect(github.comments).toHaveLength(1);
    expect(planned()).toContain(`checksum=${checksum}`);
    expect(planned()).toContain('3 accounts');
    const shown = planned();
    const first = await command(github.say('mona', '/rampart apply'));
    expect({ code: first.code, log: first.log }).toMatchObject({ code: 5 });
    expect([names(), writes()]).toEqual(['NEW,KEPT OLD,KEPT OLD,KEPT OLD,KEPT', '1 1 0 0']);
    const answer = github.comments.at(-1)?.body ?? '';
    expect(answer).toContain('`/rampart apply` by mona');
    expect(answer).toContain('Not done (exit code 5): 1 account done, 1 failed, 1 not started.');
    expect(answer).toContain('Wave canary');
    // The reviewed plans are kept in the comment, so that the next command is about the same plans.
    expect(planned()).toBe(shown);
    faults.length = 0;
    const second = await command(github.say('mona', `/rampart apply ${checksum.slice(0, 12)}`));
    expect({ code: second.code, log: second.log }).toMatchObject({ code: 0 });
    expect(second.log).toContain('Continuing rollout');
    expect([names(), writes()]).toEqual(['NEW,KEPT NEW,KEPT NEW,KEPT OLD,KEPT', '1 2 1 0']);
    expect(github.comments.some(({ body }) => body.includes('Done: 3 accounts done.'))).toBe(true);
    expect(second.outputs['exit-code']).toBe('0');
    // What is left is planned again, and kept: there is nothing to apply.
    expect(planned()).not.toContain(checksum);
    const third = await command(github.say('mona', '/rampart apply'));
    expect({ code: third.code, log: third.log }).toMatchObject({ code: 0 });
    expect(writes()).toBe('1 2 1 0');
    expect(JSON.stringify([first, second, third, github.comments])).not.toMatch(
      new RegExp(`${testPsk}|us\\+Qq7`),
    );
  });

  it('applies after the merge what the comment shows, and only with the keys of its accounts', async () => {
    const { place, env, inputs, review, downloaded, writes, base, github } = await given();
    await review();
    github.pulls.set(merge, [{ number: 12, merged_at: '2026-11-20T10:00:00Z', merge_commit_sha: merge }]);
    const { US1_PSK: _, ...keys } = env;
    const apply = { ...inputs, mode: 'apply', 'plan-path': downloaded };
    const step = (more: object) =>
      place.step({
        event: 'push',
        env: { ...keys, RAMPART_CONFIG_REF: base },
        inputs: { ...apply, ...more },
        change: (payload) => payload,
      });
    const { code, log, summary, outputs } = await step({});
    expect({ code, log }).toMatchObject({ code: 0 });
    expect(writes()).toBe('1 1 1 0');
    expect(summary).toContain('## Rampart rollout');
    expect(summary).toContain('Done: 3 accounts done.');
    expect(outputs['rollout-id']).toMatch(/^2026/);
    expect((await step({})).code).toBe(0);
    expect(writes()).toBe('1 1 1 0');
  });

  it('takes approvals of the exact number from the plans, and is refused with any other number', async () => {
    const policy = 'policy: { limits: { delete: 0 } }\n';
    const change = `version: 1\n${policy}hosts: [{ id: 2, ensure: absent }]\n`;
    const { github, review, command, names } = await given({ change, policy });
    expect((await review({ flags: '--ack delete=2' })).code).toBe(6);
    expect((await command(github.say('mona', '/rampart apply'))).code).toBe(6);
    expect(names()).toBe('OLD,KEPT OLD,KEPT OLD,KEPT OLD,KEPT');
    expect((await review({ flags: '--ack delete=3' })).code).toBe(0);
    expect((await command(github.say('mona', '/rampart apply'), { flags: '--ack delete=3' })).code).toBe(0);
    expect(names()).toBe('OLD OLD OLD OLD,KEPT');
  });
});

describe('no account is changed', () => {
  it('by plans that differ from the reviewed ones, or that were not downloaded', async () => {
    const { github, review, command, downloaded, writes } = await given();
    await review();
    const say = () => github.say('mona', '/rampart apply');
    const path = join(downloaded, 'eu2.plan.json');
    const plan = await readFile(path, 'utf8');
    await writeFile(path, plan.replaceAll('NEW', 'BAD'));
    expect((await command(say())).code).toBe(3);
    await writeFile(path, plan);
    const index = join(downloaded, 'index.json');
    await writeFile(index, (await readFile(index, 'utf8')).replaceAll('NEW', 'BAD'));
    expect((await command(say())).code).toBe(3);
    await rm(downloaded, { recursive: true });
    expect((await command(say())).code).toBe(3);
    expect(github.comments.at(-1)?.body).toContain('keep the folder of the output plan-path as an artifact');
    expect(writes()).toBe('0 0 0 0');
  });

  it('by records of an earlier rollout that the pull request added, or that have other plans', async () => {
    const { github, review, command, downloaded, writes, place, git, faults } = await given({
      isRefused: true,
    });
    await place.write('fleet.yaml', renamed.replace('NEW', 'BAD'));
    await review();
    const forged = await readFile(join(downloaded, 'eu2.plan.json'), 'utf8');
    await place.write('fleet.yaml', renamed);
    await review();
    const say = () => github.say('mona', '/rampart apply');
    await command(say());
    faults.length = 0;
    const before = writes();
    const rollouts = join(place.folder, '.rampart', 'rollouts');
    const [id = ''] = await readdir(rollouts);
    const head = join(rollouts, id, 'head.json');
    const plan = join(rollouts, id, 'plans', `${sha256Hex('eu2')}.json.gz`);
    const genuine = { head: await readFile(head, 'utf8'), plan: await readFile(plan) };
    const { accounts } = JSON.parse(genuine.head) as RolloutHead;
    const reviewed = accounts.find(({ account }) => account === 'eu2')?.plan_checksum ?? '';
    const { checksum } = JSON.parse(forged) as { readonly checksum: string };
    await writeFile(head, genuine.head.replaceAll(reviewed, checksum));
    await writeFile(plan, gzipSync(forged));
    expect((await command(say())).code).toBe(3);
    expect(github.comments.at(-1)?.body).toContain('has another plan of "eu2"');
    await writeFile(head, genuine.head);
    await writeFile(plan, genuine.plan);
    git('add', '--force', '.rampart');
    expect((await command(say())).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('the records of earlier runs are part of the repository');
    expect(writes()).toBe(before);
  });

  it('by plans of another review, or for accounts that the job does not have', async () => {
    const { github, review, command, inputs, place, env, downloaded, writes } = await given();
    const { outputs } = await review();
    const say = () => github.say('mona', '/rampart apply');
    expect((await command(say(), { accounts: 'true' })).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('this job is for "true"');
    const wrong = { ...inputs, mode: 'apply', 'plan-path': downloaded, checksum: '0'.repeat(64) };
    expect((await place.step({ env, inputs: wrong })).code).toBe(7);
    expect((await place.step({ env, inputs: { ...wrong, checksum: '' } })).code).toBe(6);
    expect(outputs['checksum']).toMatch(/^[0-9a-f]{64}$/);
    expect((await command(github.say('mona', '/rampart explain OLD'))).code).toBe(3);
    expect((await command(github.say('mallory', '/rampart apply'))).code).toBe(6);
    expect(writes()).toBe('0 0 0 0');
  });
});
