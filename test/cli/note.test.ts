import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';
import { gitlabStandIn, gitlabToken } from '../given/gitlab-stand-in.ts';

const seed =
  'companyId: 1\nhosts:\n  - { id: 1, name: one }\n  - { id: 2, name: two }\n  - { id: 3, name: three }\n';
const desired = [
  'version: 1',
  'hosts:',
  '  - { id: 1, name: two }',
  '  - { id: 2, name: ONE, antivirus: installed }',
  '  - { id: 3, ensure: absent }',
  '',
].join('\n');

async function given(text = desired) {
  const place = await workplace({ 'seed.yaml': seed, 'fleet.yaml': text });
  const plan = () => place.rampart('plan --emulator=seed.yaml --out plan.json');
  expect((await plan()).code).toBe(0);
  const gitlab = await gitlabStandIn();
  return { ...place, plan, gitlab, note: ['plan', 'note', 'plan.json'] };
}

describe('a note on a merge request', () => {
  it('shows the plan, and a later one replaces it', async () => {
    const { rampart, gitlab, note, write, plan } = await given();
    expect(await rampart(note, { env: gitlab.env })).toExit(0);
    expect(gitlab.notes).toHaveLength(1);
    expect(gitlab.notes[0]?.body).toMatch(
      /^<!-- rampart plan key=default checksum=[0-9a-f]{64} -->\n## Rampart plan/,
    );
    expect(gitlab.notes[0]?.body).toContain('[Job](https://gitlab.example.com/acme/fleet/-/jobs/77)');
    await write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: uno }]\n');
    await plan();
    expect((await rampart(note, { env: gitlab.env })).err).toContain(
      'Updated the note on the merge request.',
    );
    expect(gitlab.notes).toHaveLength(1);
    expect(gitlab.notes[0]?.body).toContain('uno');
    expect((await rampart(note, { env: gitlab.env })).err).toContain('already');
  });

  it('sets the label of its verdict on request, and no other label', async () => {
    const { rampart, gitlab, note, write, plan } = await given();
    gitlab.labels.push('bug', 'rampart/no-changes');
    expect((await rampart([...note, '--label'], { env: gitlab.env })).code).toBe(0);
    expect(gitlab.labels).toEqual(['bug', 'rampart/deletes']);
    await write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: uno }]\n');
    await plan();
    await rampart([...note, '--label', '--key', 'berlin'], { env: gitlab.env });
    await rampart([...note, '--label'], { env: gitlab.env });
    expect(gitlab.labels).toEqual(['bug', 'rampart/berlin/changes', 'rampart/changes']);
    const sent = gitlab.requests.length;
    await rampart([...note, '--label'], { env: gitlab.env });
    expect(gitlab.requests.slice(sent).map(({ method }) => method)).not.toContain('PUT');
    const long = await rampart([...note, '--label', '--key', 'k'.repeat(32)], { env: gitlab.env });
    expect(long).toMatchObject({ code: 3, err: expect.stringContaining('at most 31 characters') });
  });

  it('is found among those of others, whatever page it is on', async () => {
    const { rampart, gitlab, note } = await given();
    const marker = '<!-- rampart plan key=default -->\nold';
    for (let id = 1; id <= 120; id += 1)
      gitlab.notes.push({ id, author: { username: 'mona' }, body: marker });
    await rampart(note, { env: gitlab.env });
    await rampart([...note, '--key', 'berlin'], { env: gitlab.env });
    await rampart([...note, '--recreate'], { env: gitlab.env });
    expect(gitlab.notes.slice(0, 120).every(({ body }) => body === marker)).toBe(true);
    const ours = gitlab.notes.slice(120).map(({ body }) => /key=(\w+)/.exec(body)?.[1]);
    expect(ours).toEqual(['berlin', 'default']);
  });

  it.each([
    [401, 4, 'not-authenticated'],
    [403, 4, 'forbidden'],
    [404, 1, 'not-found'],
    [500, 1, 'server-error'],
    [429, 1, 'rate-limited'],
  ])('that GitLab answers with %i ends with %i', async (status, code, word) => {
    const { rampart, gitlab, note } = await given();
    gitlab.fault = () => ({ status, body: { message: `no, ${gitlabToken}` } });
    const ran = await rampart(note, { env: gitlab.env });
    expect(ran).toExit(code, word);
    expect(ran.err).not.toContain(gitlabToken);
  });

  it.each([
    ['outside such a pipeline', { CI_MERGE_REQUEST_IID: undefined }, 'not a GitLab merge request pipeline'],
    ['without a token', { RAMPART_GITLAB_TOKEN: '' }, 'RAMPART_GITLAB_TOKEN is not set'],
    [
      'over a connection that anyone can read',
      { CI_API_V4_URL: 'http://gitlab.example.com' },
      'insecure-url',
    ],
  ])('is refused %s', async (_case, change, message) => {
    const { rampart, gitlab, note } = await given();
    expect(await rampart(note, { env: { ...gitlab.env, ...change } })).toExit(3, message);
    expect(gitlab.requests).toEqual([]);
  });
});

describe('--format gitlab', () => {
  it('counts hosts as the widget counts resources', async () => {
    const { rampart } = await given();
    const { out } = await rampart('show plan.json --format gitlab');
    expect(JSON.parse(out)).toEqual({ create: 0, update: 2, delete: 1 });
    const planned = await rampart('plan --emulator=seed.yaml --format gitlab');
    expect(planned.out).toBe(out);
  });

  it('counts a host with a temporary rename before deletion once', async () => {
    const { rampart } = await given(
      'version: 1\nhosts: [{ id: 1, name: three }, { id: 3, ensure: absent }]\n',
    );
    const { out } = await rampart('show plan.json --format gitlab');
    expect(JSON.parse(out)).toEqual({ create: 0, update: 1, delete: 1 });
  });
});

describe('apply --out', () => {
  it('saves the plan of a desired state, applied or not', async () => {
    const { rampart } = await given();
    const argv = ['apply', '-f', 'fleet.yaml', '--emulator=seed.yaml'];
    expect(await rampart([...argv, '--checksum', 'a'.repeat(64), '--out', 'kept.json'])).toExit(7);
    const { out } = await rampart('show kept.json --json');
    const { checksum } = JSON.parse(out) as { readonly checksum: string };
    expect((await rampart([...argv, '--checksum', checksum])).code).toBe(0);
  });

  it('has nothing to write beside a plan file', async () => {
    const { rampart } = await given();
    const { code, err } = await rampart('apply plan.json --out kept.json --emulator=seed.yaml');
    expect(code).toBe(3);
    expect(err).toContain("--out can't be used with a plan file");
  });
});
