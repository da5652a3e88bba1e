import { describe, expect, it } from 'vitest';
import { givenService, workplace } from '../given/command-line.ts';
import { gitlabStandIn } from '../given/gitlab-stand-in.ts';

const commit = 'c0ffee'.padEnd(40, '0');
const desired = 'version: 1\nhosts: [{ id: 1, name: NEW }]\n';

/** A merge request on which the plan was shown. */
async function given(key = '') {
  const place = await workplace();
  const service = await givenService({ hosts: [{ id: '1', name: 'OLD' }] });
  const gitlab = await gitlabStandIn();
  const env = { ...service.env, ...gitlab.env, CI_COMMIT_SHA: commit };
  const run = (argv: string, more: object = {}) =>
    place.rampart(argv.split(' '), { env: { ...env, ...more } });
  await place.write('fleet.yaml', desired);
  await run('plan --out plan.json');
  expect(await run(`plan note plan.json${key}`)).toMatchObject({ code: 0 });
  const writes = () => service.emulator.requests.filter(({ method }) => method !== 'GET').length;
  return { ...place, gitlab, run, writes };
}

describe('apply --reviewed', () => {
  it('applies a new plan file that is the plan on the merged merge request', async () => {
    for (const key of ['', ' --key berlin']) {
      const { run, gitlab, writes } = await given(key);
      gitlab.mergeCommits.push(commit);
      await run('plan --out again.json');
      expect(await run(`apply again.json --reviewed${key.replace(' --key', '')}`)).toExit(0);
      expect(writes()).toBe(1);
    }
  });

  it.each([
    ['the commit is no merge', () => {}, {}, 6, 'not the merge of a merge request'],
    ['the pipeline names no commit', merge, { CI_COMMIT_SHA: '' }, 6, 'not the merge of a merge request'],
    [
      'the merge request has no note',
      (all: Given) => {
        merge(all);
        all.gitlab.notes.splice(0);
      },
      {},
      6,
      'merge request 12 has no note',
    ],
    [
      'somebody else wrote the note',
      (all: Given) => {
        merge(all);
        const [note] = all.gitlab.notes.splice(0);
        all.gitlab.notes.push({ id: 1, author: { username: 'mallory' }, body: note?.body ?? '' });
      },
      {},
      6,
      'merge request 12 has no note',
    ],
    [
      'the plan is another one',
      async (all: Given) => {
        merge(all);
        await all.write('fleet.yaml', desired.replace('NEW', 'OTHER'));
        await all.run('plan --out plan.json');
      },
      {},
      7,
      'this is not the reviewed plan',
    ],
    ['the checksum is of another plan', merge, { RAMPART_CHECKSUM: 'f'.repeat(64) }, 7, 'not the reviewed'],
    ['the token is missing', merge, { RAMPART_GITLAB_TOKEN: '' }, 3, 'RAMPART_GITLAB_TOKEN is not set'],
    ['it is no pipeline', merge, { GITLAB_CI: '' }, 3, 'this is not a GitLab pipeline'],
  ] as const)('refuses without a write if %s', async (_what, prepare, env, code, words) => {
    const all = await given();
    await prepare(all);
    expect(await all.run('apply plan.json --reviewed', env)).toExit(code, words);
    expect(all.writes()).toBe(0);
  });

  it('takes the checksum of a plan that was reviewed elsewhere, and no second one', async () => {
    const { run, writes } = await given();
    const { checksum } = JSON.parse((await run('plan --json')).out) as { checksum: string };
    expect(await run(`apply plan.json --reviewed --checksum ${checksum}`)).toExit(3);
    const bad = await run('apply plan.json --reviewed a/b', { RAMPART_CHECKSUM: checksum });
    expect(bad.err).toContain('a key must be 1 to 64 letters');
    expect(writes()).toBe(0);
    expect(await run('apply plan.json --reviewed', { RAMPART_CHECKSUM: checksum })).toMatchObject({
      code: 0,
    });
  });
});

function merge({ gitlab }: Given): void {
  gitlab.mergeCommits.push(commit);
}

type Given = Awaited<ReturnType<typeof given>>;
