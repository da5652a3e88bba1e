import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreignCode } from '../../src/cli/trust/foreign-code.ts';
import type { Environment } from '../../src/core/lib/surroundings.ts';
import { connected } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';

const folder = newFolder();

function github(event: string, payload?: object): Environment {
  if (payload === undefined) return { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: event };
  const path = join(folder, `${event}-${JSON.stringify(payload).length}.json`);
  writeFileSync(path, JSON.stringify(payload));
  return { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: path };
}
const request = (from: string | null) => ({
  pull_request: { head: { repo: from === null ? null : { full_name: from } } },
  repository: { full_name: 'acme/fleet' },
});
const gitlab = (source: string, more: Environment = {}) => ({
  GITLAB_CI: 'true',
  CI_PIPELINE_SOURCE: source,
  ...more,
});
const merge = (from: string) => ({
  CI_MERGE_REQUEST_IID: '7',
  CI_MERGE_REQUEST_PROJECT_ID: '1',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: from,
});
const azure = (reason: string, more: Environment = {}) => ({
  TF_BUILD: 'True',
  BUILD_REASON: reason,
  ...more,
});

const own: readonly (readonly [string, Environment])[] = [
  ['no pipeline', {}],
  ['a push', github('push')],
  ['a schedule', github('schedule')],
  ['a run by hand', github('workflow_dispatch')],
  ['a merge queue', github('merge_group')],
  ['a pull request of the repository', github('pull_request', request('acme/fleet'))],
  ['a push on GitLab', gitlab('push')],
  ['a merge request of the project', gitlab('merge_request_event', merge('1'))],
  ['a build by hand on Azure', azure('Manual')],
  ['a pull request on Azure', azure('PullRequest', { SYSTEM_PULLREQUEST_ISFORK: 'False' })],
  ['a branch on Jenkins', { JENKINS_URL: 'https://ci.example.com/' }],
  ['a pull request on Jenkins', { JENKINS_URL: 'https://ci.example.com/', CHANGE_ID: '7' }],
  ['a pull request on Bitbucket', { BITBUCKET_BUILD_NUMBER: '1', BITBUCKET_PR_ID: '7' }],
  ['what the operator trusts', { ...github('workflow_run'), RAMPART_TRUST_FORKS: '1' }],
];

const foreign: readonly (readonly [string, Environment])[] = [
  ['a pull request of a fork', github('pull_request', request('stranger/fleet'))],
  ['a pull request of a deleted fork', github('pull_request', request(null))],
  ['a pull request whose payload is missing', github('pull_request')],
  ['a pull request whose payload is something else', github('pull_request', { zen: 'x' })],
  ['pull_request_target', github('pull_request_target', request('acme/fleet'))],
  ['workflow_run', github('workflow_run')],
  ['issue_comment', github('issue_comment')],
  ['an event that does not exist yet', github('telepathy')],
  ['no event at all', { GITHUB_ACTIONS: 'true' }],
  ['no event at all on a runner of another make', { GITHUB_ACTIONS: '1' }],
  ['a merge request of a fork', gitlab('merge_request_event', merge('2'))],
  ['a child pipeline of a fork', gitlab('parent_pipeline', merge('2'))],
  ['a merge request from nowhere', gitlab('merge_request_event')],
  [
    'an external pull request of a fork',
    gitlab('external_pull_request_event', {
      CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY: 'stranger/fleet',
      CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY: 'acme/fleet',
    }),
  ],
  ['an unknown source on GitLab', gitlab('telepathy')],
  ['a fork on Azure', azure('PullRequest', { SYSTEM_PULLREQUEST_ISFORK: 'True' })],
  ['a pull request on Azure that does not say', azure('PullRequest')],
  ['another build on Azure', azure('BuildCompletion')],
  ['a fork on Jenkins', { JENKINS_URL: 'https://ci.example.com/', CHANGE_ID: '7', CHANGE_FORK: 'stranger' }],
  ['a switch that is off', { ...github('workflow_run'), RAMPART_TRUST_FORKS: '0' }],
];

describe('a pipeline', () => {
  it.each(own)('works on our own code: %s', (_case, env) => expect(foreignCode(env)).toBeNull());

  it.each(foreign)('may work on code of strangers: %s', (_case, env) =>
    expect(foreignCode(env)).toMatch(/fork|untrusted/),
  );
});

describe('a script of strangers', () => {
  const script = 'export default { version: 1, hosts: [{ id: 1, name: "ONE" }] };\n';

  it.each(foreign)('is not run by any command: %s', async (_case, event) => {
    const { rampart, write, emulator } = await connected({ hosts: [{ id: '1', name: 'one' }] });
    await write('fleet.ts', script);
    for (const command of ['validate', 'plan', 'drift']) {
      const ran = await rampart([command], { env: { ...event } });
      expect({ command, code: ran.code, err: ran.err }).toMatchObject({ code: 6 });
      expect(ran.err).toContain('fleet.ts is a program and is not run');
    }
    expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('is not, if YAML is planned', async () => {
    const { rampart, write } = await connected({ hosts: [{ id: '1', name: 'one' }] });
    await write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: ONE }]\n');
    expect((await rampart('plan', { env: { ...github('issue_comment') } })).code).toBe(0);
  });
});
