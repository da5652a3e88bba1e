import { describe, expect, it } from 'vitest';
import { checkout, testToken } from '../given/action-step.ts';
import { givenService } from '../given/command-line.ts';
import { botLogin, type FaultyAnswer, githubStandIn } from '../given/github-stand-in.ts';
import { nobodyListens } from '../given/loopback.ts';

async function given(hosts = 1) {
  const github = await githubStandIn();
  const place = await checkout(github);
  const ids = Array.from({ length: hosts }, (_, index) => index + 1);
  await place.write(
    'fleet.yaml',
    `version: 1\nhosts:\n${ids.map((id) => `  - { id: ${id}, name: N${id} }\n`).join('')}`,
  );
  const { env } = await givenService({ hosts: ids.map((id) => ({ id: String(id), name: `old-${id}` })) });
  return { github, place, env, inputs: { summary: 'false' } };
}

const limited: FaultyAnswer = { status: 429, headers: { 'retry-after': '20' }, body: { message: 'slow' } };

describe('the plan is in the job summary, and the step succeeds', () => {
  it.each<readonly [string, FaultyAnswer, string]>([
    [
      'the token may not',
      { status: 403, body: { message: 'Resource not accessible by integration' } },
      'pull-requests: write',
    ],
    ['the token is bad', { status: 401, body: { message: 'Bad credentials' } }, 'Bad credentials'],
    ['the pull request is gone', { status: 404, body: { message: 'Not Found' } }, '404'],
    ['GitHub is down', { status: 503, body: 'no' }, '503'],
    [
      'the limit lasts long',
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' }, body: {} },
      '403',
    ],
    ['the limit never ends', limited, '429'],
    ['something else answers', { status: 200, body: { hello: 'world' } }, 'GitHub did not return'],
  ])('if %s', async (_case, answer, message) => {
    const { github, place, env, inputs } = await given();
    github.fault = ({ path }) => (path === '/graphql' ? undefined : answer);
    const { code, summary, annotations } = await place.step({ event: 'pull_request', env, inputs });
    expect(code).toBe(0);
    expect(summary).toContain('Change 1 host: 1 rename');
    const reported = annotations.filter(({ message: each }) => each.includes('not in a comment'));
    expect(reported).toEqual([
      expect.objectContaining({ kind: 'notice', message: expect.stringContaining(message) }),
    ]);
  });

  it("if GitHub can't be reached", async () => {
    const { place, env, inputs } = await given();
    const { code, summary, annotations } = await place.step({
      event: 'pull_request',
      env: { ...env, GITHUB_API_URL: nobodyListens },
      inputs,
    });
    expect(code).toBe(0);
    expect(summary).toContain('Change 1 host: 1 rename');
    expect(JSON.stringify(annotations)).toContain('no answer');
  });

  it('if there is no token', async () => {
    const { place, env, inputs } = await given();
    const ran = await place.step({ event: 'pull_request', env, inputs: { ...inputs, 'github-token': '' } });
    expect(ran.code).toBe(0);
    expect(ran.summary).toContain('Change 1 host: 1 rename');
  });
});

describe('a call to GitHub', () => {
  it('waits out a short limit', async () => {
    const { github, place, env } = await given();
    let refusals = 2;
    github.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/comments') && refusals-- > 0 ? limited : undefined;
    await place.step({ event: 'pull_request', env });
    expect(github.comments).toHaveLength(1);
  });

  it('is not repeated if it may have posted a comment', async () => {
    const { github, place, env } = await given();
    github.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/comments') ? { status: 502, body: {} } : undefined;
    await place.step({ event: 'pull_request', env });
    const posts = github.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/comments'),
    );
    expect(posts).toHaveLength(1);
  });

  it('recognizes its own comments by the usual author if GraphQL does not report one', async () => {
    const { github, place, env } = await given();
    github.comments.push({
      id: 1,
      user: { login: botLogin },
      body: '<!-- rampart plan key=default -->\nold',
    });
    github.fault = ({ path }) => (path === '/graphql' ? { status: 403, body: {} } : undefined);
    await place.step({ event: 'pull_request', env });
    expect(github.comments).toEqual([
      expect.objectContaining({ id: 1, body: expect.stringContaining('1 rename') }),
    ]);
  });

  it('sends the token, which appears nowhere', async () => {
    const { github, place, env } = await given();
    const ended = await place.step({ event: 'pull_request', env });
    expect(
      new Set(github.requests.map(({ authorization }) => authorization.replace(/^Bearer /, ''))),
    ).toEqual(new Set([testToken]));
    expect(JSON.stringify([ended, github.comments])).not.toContain(testToken);
  });
});

describe('a plan that is too long for a comment', () => {
  it("is cut to GitHub's limit, and is complete in the summary", async () => {
    const { github, place, env } = await given(2500);
    const { summary } = await place.step({ event: 'pull_request', env });
    const body = github.comments[0]?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/\*\*[\d,]+ more hosts\*\*/);
    expect(summary).toContain('N2500');
  });

  it('is cut further if GitHub counts differently', async () => {
    const { github, place, env } = await given(2500);
    github.fault = ({ method, body }) =>
      method === 'POST' && body.length > 40_000
        ? { status: 422, body: { message: 'Validation Failed', errors: [{ message: 'body is too long' }] } }
        : undefined;
    const { annotations } = await place.step({ event: 'pull_request', env });
    expect(github.comments[0]?.body.length).toBeLessThanOrEqual(20_000);
    expect(JSON.stringify(annotations)).not.toContain('not in a comment');
  });

  it('is summarized if its deletions alone do not fit', async () => {
    const { github, place, env } = await given(2000);
    const ids = Array.from({ length: 2000 }, (_, index) => `  - { id: ${index + 1}, ensure: absent }\n`).join(
      '',
    );
    await place.write('fleet.yaml', `version: 1\npolicy: { limits: { delete: 100% } }\nhosts:\n${ids}`);
    const { code } = await place.step({ event: 'pull_request', env, inputs: { flags: '--delete-first' } });
    expect(code).toBe(0);
    const body = github.comments[0]?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toContain('2,000 deletions');
  });
});
