import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../../../../src/core/lib/printable.ts';
import type { Environment } from '../../../../src/core/lib/surroundings.ts';
import { originSchema } from '../../../../src/run/state/journal/record-schema.ts';
import { isCommitKnown, type OriginInputs, originOf } from '../../../../src/run/state/origin/origin-of.ts';

const local = { user: 'alice', host: 'workstation', commit: 'c0ffee', branch: 'fix/names' };

function origin(env: Environment, more: Partial<OriginInputs> = {}) {
  return originOf({
    env,
    local,
    command: 'apply',
    redact: (text) => text.replaceAll('s3cr3t-value', '[secret]'),
    ...more,
  });
}

const pipelines: Readonly<Record<string, readonly [Environment, object]>> = {
  'GitHub Actions, on a pull request': [
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTOR: 'bob',
      GITHUB_TRIGGERING_ACTOR: 'carol',
      GITHUB_SHA: 'abc123',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_REF_TYPE: 'branch',
      GITHUB_HEAD_REF: 'rename-lobby',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/fleet',
      GITHUB_RUN_ID: '99',
    },
    {
      actor: 'carol',
      commit: 'abc123',
      branch: 'rename-lobby',
      request: 'https://github.example/acme/fleet/pull/7',
      job: 'https://github.example/acme/fleet/actions/runs/99',
    },
  ],
  'GitHub Actions, on a branch': [
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTOR: 'bob',
      GITHUB_SHA: 'abc123',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REF_NAME: 'main',
      GITHUB_REF_TYPE: 'branch',
    },
    { actor: 'bob', commit: 'abc123', branch: 'main' },
  ],
  'GitLab CI': [
    {
      GITLAB_CI: 'true',
      GITLAB_USER_LOGIN: 'bob',
      GITLAB_USER_NAME: 'Bob B.',
      CI_COMMIT_SHA: 'abc123',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'rename-lobby',
      CI_MERGE_REQUEST_PROJECT_URL: 'https://gitlab.example/acme/fleet',
      CI_MERGE_REQUEST_IID: '7',
      CI_JOB_URL: 'https://gitlab-ci-token:tok3n-value@gitlab.example/acme/fleet/-/jobs/99',
    },
    {
      actor: 'bob',
      commit: 'abc123',
      branch: 'rename-lobby',
      request: 'https://gitlab.example/acme/fleet/-/merge_requests/7',
      job: 'https://gitlab.example/acme/fleet/-/jobs/99',
    },
  ],
  Jenkins: [
    {
      JENKINS_URL: 'https://jenkins.example/',
      JOB_NAME: 'fleet/main',
      GIT_COMMIT: 'abc123',
      GIT_BRANCH: 'origin/main',
      CHANGE_URL: 'https://git.example/acme/fleet/pull/7',
      BUILD_URL: 'https://jenkins.example/job/fleet/99/',
    },
    {
      actor: 'fleet/main',
      commit: 'abc123',
      branch: 'main',
      request: 'https://git.example/acme/fleet/pull/7',
      job: 'https://jenkins.example/job/fleet/99/',
    },
  ],
  'Azure DevOps': [
    {
      TF_BUILD: 'True',
      BUILD_REQUESTEDFOR: 'Bob B.',
      BUILD_SOURCEVERSION: 'abc123',
      BUILD_SOURCEBRANCH: 'refs/pull/7/merge',
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/rename-lobby',
      SYSTEM_PULLREQUEST_PULLREQUESTID: '7',
      SYSTEM_COLLECTIONURI: 'https://dev.azure.example/acme/',
      SYSTEM_TEAMPROJECT: 'Our Fleet',
      BUILD_REPOSITORY_URI: 'https://acme@dev.azure.example/acme/Our%20Fleet/_git/fleet',
      BUILD_REPOSITORY_PROVIDER: 'TfsGit',
      BUILD_BUILDID: '99',
    },
    {
      actor: 'Bob B.',
      commit: 'abc123',
      branch: 'rename-lobby',
      request: 'https://dev.azure.example/acme/Our%20Fleet/_git/fleet/pullrequest/7',
      job: 'https://dev.azure.example/acme/Our%20Fleet/_build/results?buildId=99',
    },
  ],
  Bitbucket: [
    {
      BITBUCKET_BUILD_NUMBER: '99',
      BITBUCKET_STEP_TRIGGERER_UUID: '{0a1b}',
      BITBUCKET_COMMIT: 'abc123',
      BITBUCKET_BRANCH: 'rename-lobby',
      BITBUCKET_PR_ID: '7',
      BITBUCKET_GIT_HTTP_ORIGIN: 'http://bitbucket.example/acme/fleet',
    },
    {
      actor: '{0a1b}',
      commit: 'abc123',
      branch: 'rename-lobby',
      request: 'http://bitbucket.example/acme/fleet/pull-requests/7',
      job: 'http://bitbucket.example/acme/fleet/pipelines/results/99',
    },
  ],
};

describe('the origin of a run', () => {
  it.each(Object.entries(pipelines))('is found on %s', (_name, [env, expected]) => {
    expect(origin(env)).toMatchObject({ host: 'workstation', command: 'apply', ...expected });
    expect(isCommitKnown(env)).toBe(true);
  });

  it('is the user, the machine and the commit if there is no pipeline', () => {
    expect(origin({})).toStrictEqual({
      actor: 'alice',
      host: 'workstation',
      command: 'apply',
      commit: 'c0ffee',
      branch: 'fix/names',
    });
    expect(isCommitKnown({})).toBe(false);
  });

  it('is the value of RAMPART_RUN_*, before anything else', () => {
    const given = {
      RAMPART_RUN_ACTOR: 'release-bot',
      RAMPART_RUN_COMMIT: 'def456',
      RAMPART_RUN_BRANCH: 'release',
      RAMPART_RUN_REQUEST: 'https://git.example/changes/1',
      RAMPART_RUN_JOB: 'https://user:pass@ci.example/jobs/2?token=t#x',
      RAMPART_RUN_REASON: 'CHG-1',
    };
    expect(origin({ ...pipelines['Jenkins']?.[0], ...given })).toMatchObject({
      actor: 'release-bot',
      commit: 'def456',
      branch: 'release',
      request: 'https://git.example/changes/1',
      job: 'https://ci.example/jobs/2',
      reason: 'CHG-1',
    });
    expect(origin(given, { reason: 'CHG-2' }).reason).toBe('CHG-2');
    expect(isCommitKnown(given)).toBe(true);
  });

  it('is unknown if the machine has no user name and no host name', () => {
    const nameless = origin({}, { local: { user: '', host: '' } });
    expect(nameless).toStrictEqual({ actor: 'unknown', host: 'unknown', command: 'apply' });
  });

  it('holds approvals if there are some', () => {
    expect(origin({}, { approvals: { delete: 28 } }).approvals).toEqual({ delete: 28 });
    expect(origin({}, { approvals: {} }).approvals).toBeUndefined();
  });

  it('leaves out text that is not an address', () => {
    for (const text of [
      'javascript:alert(1)',
      'not an address',
      'file:///etc/passwd',
      `https://x.example/${'a'.repeat(2000)}`,
    ])
      expect(origin({ RAMPART_RUN_JOB: text }).job, text).toBeUndefined();
  });

  it('holds no secret', () => {
    const found = origin(
      { RAMPART_RUN_ACTOR: 's3cr3t-value', RAMPART_RUN_JOB: 'https://ci.example/s3cr3t-value/1' },
      { reason: 'the key is s3cr3t-value' },
    );
    expect(JSON.stringify(found)).not.toContain('s3cr3t-value');
    expect(found.reason).toBe('the key is [secret]');
  });

  it('is one bounded line for each field, for any environment', () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 5000 });
    const names = [
      'RAMPART_RUN_ACTOR',
      'RAMPART_RUN_REASON',
      'RAMPART_RUN_BRANCH',
      'RAMPART_RUN_JOB',
      'BUILD_REQUESTEDFOR',
      'SYSTEM_TEAMPROJECT',
      'SYSTEM_COLLECTIONURI',
      'BUILD_BUILDID',
    ];
    const env = fc.record(Object.fromEntries(names.map((name) => [name, hostile])), { requiredKeys: [] });
    fc.assert(
      fc.property(env, hostile, (given, reason) => {
        const found = origin({ TF_BUILD: 'True', ...given }, { reason });
        expect(originSchema.safeParse(found).success).toBe(true);
        for (const text of Object.values(found)) {
          if (typeof text !== 'string') continue;
          expect(text.length).toBeLessThanOrEqual(1000);
          expect(text).toBe(printable(text));
          expect(text.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
