import { describe, expect, it } from 'vitest';
import { pipelineOrigin } from '../../../../src/run/state/origin/pipeline-origin.ts';

describe('the origin that a pipeline gives', () => {
  it('is empty without a known system', () => {
    expect(pipelineOrigin({ CI: 'true', GITHUB_SHA: 'abc123', GITHUB_ACTIONS: ' ' })).toEqual({});
  });

  it('has no branch for a tag or a pull request of GitHub', () => {
    const branchOf = (env: Record<string, string>) =>
      pipelineOrigin({ GITHUB_ACTIONS: 'true', GITHUB_REF_NAME: 'name', ...env }).branch;
    expect(branchOf({ GITHUB_REF_TYPE: 'tag', GITHUB_REF: 'refs/tags/v1' })).toBeUndefined();
    expect(branchOf({ GITHUB_REF_TYPE: 'branch', GITHUB_REF: 'refs/pull/7/merge' })).toBeUndefined();
    expect(branchOf({ GITHUB_REF_TYPE: 'branch' })).toBe('name');
  });

  it('falls back to the name and the branch of a commit in GitLab', () => {
    const env = { GITLAB_CI: 'true', GITLAB_USER_NAME: 'Bob B.', CI_COMMIT_BRANCH: 'main' };
    expect(pipelineOrigin(env)).toMatchObject({ actor: 'Bob B.', branch: 'main' });
  });

  it('prefers the user to the job, and the branch of a change to other branches, in Jenkins', () => {
    const least = { JENKINS_URL: 'https://jenkins.example/', JOB_NAME: 'fleet', GIT_BRANCH: 'origin/c' };
    const more = { ...least, BUILD_USER: 'Bob B.', BRANCH_NAME: 'b' };
    const most = { ...more, BUILD_USER_ID: 'bob', CHANGE_BRANCH: 'a' };
    expect(pipelineOrigin(least)).toMatchObject({ actor: 'fleet', branch: 'c' });
    expect(pipelineOrigin(more)).toMatchObject({ actor: 'Bob B.', branch: 'b' });
    expect(pipelineOrigin(most)).toMatchObject({ actor: 'bob', branch: 'a' });
  });

  it('links to GitHub for a pull request that Azure DevOps builds from there', () => {
    const env = {
      TF_BUILD: 'True',
      BUILD_REPOSITORY_PROVIDER: 'GitHub',
      BUILD_REPOSITORY_URI: 'https://github.example/acme/fleet',
      SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '7',
      SYSTEM_PULLREQUEST_PULLREQUESTID: '1234',
      BUILD_SOURCEBRANCH: 'refs/heads/main',
    };
    expect(pipelineOrigin(env)).toMatchObject({
      request: 'https://github.example/acme/fleet/pull/7',
      branch: 'main',
    });
  });

  it('names the job in Azure DevOps only if project and build are known', () => {
    const jobOf = (env: Record<string, string>) => pipelineOrigin({ TF_BUILD: 'True', ...env }).job;
    const project = { SYSTEM_COLLECTIONURI: 'https://dev.azure.example/acme', SYSTEM_TEAMPROJECT: 'Fleet' };
    expect(jobOf({ ...project, BUILD_BUILDID: '9' })).toBe(
      'https://dev.azure.example/acme/Fleet/_build/results?buildId=9',
    );
    expect(jobOf({ BUILD_BUILDID: '9' })).toBeUndefined();
    expect(jobOf(project)).toBeUndefined();
    expect(jobOf({ ...project, BUILD_BUILDID: '9&x=1' })).toBeUndefined();
    expect(jobOf({ ...project, BUILD_BUILDID: '1'.repeat(21) })).toBeUndefined();
  });

  it('leaves out a link if a part of it is unknown', () => {
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/fleet',
    };
    expect(pipelineOrigin(env)).toStrictEqual({
      actor: undefined,
      commit: undefined,
      branch: undefined,
      request: undefined,
      job: undefined,
    });
  });
});
