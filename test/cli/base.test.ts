import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';
import { gitIn } from '../given/git.ts';

const seed = 'companyId: 1234567890\nhosts:\n  - { id: 1, name: one }\n  - { id: 2, name: two }\n';
const file = (...entries: readonly string[]) =>
  `version: 1\nhosts:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`;

/** A repository whose `main` renames the first host, and whose work tree renames both. */
async function repository() {
  const place = await workplace();
  const git = gitIn(place.folder);
  await place.write('seed.yaml', seed);
  await place.write('fleet.yaml', file('{ id: 1, name: ONE }'));
  git('init', '--initial-branch=main');
  git('add', 'fleet.yaml');
  git('commit', '--message=first');
  await place.write('fleet.yaml', file('{ id: 1, name: ONE }', '{ id: 2, name: TWO }'));
  const env = { PATH: process.env['PATH'] ?? '' };
  return { ...place, git, env, plan: ['plan', '--emulator=seed.yaml'] };
}

describe('plan --base', () => {
  it('compares with a revision of Git', async () => {
    const { rampart, env, plan } = await repository();
    expect(await rampart([...plan, '--base', 'main'], { env })).toExit(0, {
      out: [
        'Added by this change (1)\n  rename  two  → TWO  2\n',
        'Already pending (1)\n  rename  one  → ONE  1\n',
        'Compared with main: 1 change added by this change, 1 already pending.',
      ],
    });
  });

  it('does not take a file for the commit whose name it has', async () => {
    const { rampart, env, plan, git, write } = await repository();
    const base = git('rev-parse', 'main');
    await write(base, file('{ id: 1, name: ONE }', '{ id: 2, name: TWO }'));
    const { out } = await rampart([...plan, '--base', base], { env });
    expect(out).toContain('rename  two  → TWO  2\n');
    expect(out).toContain('rename  one  → ONE  1\n');
  });

  it('refuses a name that is a file and a revision, because a change can add the file', async () => {
    const { rampart, env, plan, write } = await repository();
    await write('main', file('{ id: 1, name: ONE }', '{ id: 2, name: TWO }'));
    const { code, err } = await rampart([...plan, '--base', 'main'], { env });
    expect(err).toContain('--base "main" is a file here and a Git revision');
    expect(err).toContain('write ./main for the file');
    expect(code).toBe(3);
    expect((await rampart([...plan, '--base', './main'], { env })).out).toContain('Already pending (2)');
    expect((await rampart([...plan, '--base', 'refs/heads/main'], { env })).out).toContain(
      'Already pending (1)',
    );
  });

  it('compares with a file, in Markdown too', async () => {
    const { rampart, write, plan } = await repository();
    await write('base.yaml', 'version: 1\nhosts: []\n');
    const { out } = await rampart([...plan, '--base', 'base.yaml', '--format', 'markdown']);
    expect(out).toContain('| this change |');
    expect(out).toContain('## Rampart plan');
  });

  it.each([
    ['that is not there', 'nowhere'],
    ['that looks like a flag', '--output=x'],
  ])('refuses a revision %s', async (_case, base) => {
    const { rampart, env, plan } = await repository();
    const { code, err } = await rampart([...plan, `--base=${base}`], { env });
    expect(code).toBe(3);
    expect(err).toContain('neither a file nor a Git revision');
  });

  it('reports errors in the desired state of the base itself', async () => {
    const { rampart, write, plan } = await repository();
    await write('broken.yaml', 'version: 1\nhosts: 7\n');
    expect(await rampart([...plan, '--base', 'broken.yaml'])).toExit(3, 'broken.yaml:2');
  });
});
