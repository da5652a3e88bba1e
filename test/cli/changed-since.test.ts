import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenService, type Workplace, workplace } from '../given/command-line.ts';
import { gitIn } from '../given/git.ts';

const config = `accounts:
  berlin: { companyId: 1, files: [shared, berlin.yaml], labels: { region: eu } }
  wien: { companyId: 2, files: [shared, wien.yaml], labels: { region: eu } }
  tokyo: { companyId: 3, files: [tokyo.yaml], labels: { region: apac } }
`;
const empty = 'version: 1\nhosts: []\n';

/** A repository with three accounts, and its first commit. */
async function repository(): Promise<Workplace> {
  const place = await workplace();
  await mkdir(join(place.folder, 'shared'));
  await place.write('rampart.config.yaml', config);
  for (const name of ['berlin.yaml', 'wien.yaml', 'tokyo.yaml']) await place.write(name, empty);
  await place.write('shared/rules.yaml', 'version: 1\nrules: [{ name: r, when: host.online, group: G }]\n');
  gitIn(place.folder)('init', '-q', '-b', 'main');
  gitIn(place.folder)('add', '.');
  gitIn(place.folder)('commit', '-q', '-m', 'first');
  return place;
}

const validate = (place: Workplace, ...argv: readonly string[]) =>
  place.rampart(['validate', '--changed-since', 'main', ...argv], {
    env: { PATH: process.env['PATH'] ?? '', HOME: place.folder },
  });

describe('--changed-since', () => {
  it('does nothing if no file of an account has changed', async () => {
    const place = await repository();
    await place.write('README.md', 'words');
    const { code, out, err } = await validate(place, '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { format_version: '1.0', accounts: [] }]);
    expect(err).toContain('The files changed since main touch 0 of 3 accounts.');
  });

  it('uses the account whose own file has changed, and says which file', async () => {
    const place = await repository();
    await place.write('wien.yaml', `${empty}rules: []\n`);
    expect(await validate(place)).toExit(0, 'touch 1 of 3 accounts.\n  wien.yaml: wien\n');
  });

  it('counts committed, new and deleted files, and each account of a shared one', async () => {
    const place = await repository();
    gitIn(place.folder)('checkout', '-q', '-b', 'change');
    await place.write('shared/more.yaml', 'version: 1\nhosts: []\n');
    expect((await validate(place)).err).toContain(
      'touch 2 of 3 accounts.\n  shared/more.yaml: berlin, wien\n',
    );
    gitIn(place.folder)('add', '.');
    gitIn(place.folder)('rm', '-q', '-f', 'tokyo.yaml');
    gitIn(place.folder)('commit', '-q', '-m', 'second');
    expect((await validate(place)).err).toContain('touch 3 of 3 accounts.');
  });

  it('narrows a selection, and adds nothing to it', async () => {
    const place = await repository();
    await place.write('rampart.config.yaml', `${config}# changed\n`);
    expect((await validate(place, '--accounts', 'region == "apac"')).err).toContain(
      'touch 1 of 1 account.\n  rampart.config.yaml: tokyo\n',
    );
  });

  it.each([
    ['nowhere', 'is not a Git revision'],
    ['--output=x', 'is not a Git revision'],
    ['', 'It must not be empty'],
  ])('refuses what is not a revision: %j', async (revision, message) => {
    const place = await repository();
    expect(
      await place.rampart(['validate', `--changed-since=${revision}`], {
        env: { PATH: process.env['PATH'] ?? '', HOME: place.folder },
      }),
    ).toExit(3, message);
  });
});

it('a plan of the account that a change touches warns of rules that newly allow deletions, except if its files are new', async () => {
  const place = await repository();
  const { env } = await givenService({ hosts: [{ id: '1', name: 'A' }] });
  const when = 'host.name.startsWith("OLD-")';
  const rules = `version: 1\nrules: [{ name: old, when: '${when}', ensure: absent }]\n`;
  const shown = async (file: string) => {
    await place.write(file, rules);
    const tokyo = `{ companyId: 1234567890, key: { variable: TOKYO_PSK }, files: [${file}] }`;
    await place.write('rampart.config.yaml', config.replace(/tokyo: .*/, `tokyo: ${tokyo}`));
    expect(
      await place.rampart(
        ['plan', '--accounts', 'name == "tokyo"', '--changed-since', 'main', '--out', `${file}.plans`],
        {
          env: {
            ...env,
            PATH: process.env['PATH'] ?? '',
            HOME: place.folder,
            TOKYO_PSK: env['RAMPART_PSK'] ?? '',
          },
        },
      ),
    ).toExit(0);
    return (await place.rampart(['show', `${file}.plans/tokyo.plan.json`, '--json'])).out;
  };
  expect(await shown('tokyo.yaml')).toContain('deletes hosts that no rule deleted before this change');
  expect(await shown('oslo.yaml')).not.toContain('deletions-allowed');
});
