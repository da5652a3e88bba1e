import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

const examples = join(import.meta.dirname, '../../examples/main-job');

describe('--format html', () => {
  it('is one page, the same when the plan is shown again', async () => {
    const { rampart, write } = await workplace();
    for (const name of ['fleet.yaml', 'seed.yaml'])
      await write(name, await readFile(join(examples, name), 'utf8'));
    const argv = ['plan', '--emulator=seed.yaml', '--out', 'saved.json', '--format', 'html'];
    const planned = await rampart(argv);
    expect(planned).toExit(0, { out: [/^<!DOCTYPE html>\n/, /<\/html>\n$/] });
    expect(await rampart('show saved.json --format html')).toMatchObject({ code: 0, out: planned.out });
  });

  it('names the checksum, and in a pipeline the commit and the pull request', async () => {
    const { rampart, write } = await workplace({ 'seed.yaml': 'hosts: [{ id: 1, name: one }]\n' });
    await write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: ONE }]\n');
    const planned = await rampart('plan --emulator=seed.yaml --out plan.json --format html');
    const { checksum } = JSON.parse((await rampart('show plan.json --json')).out) as {
      checksum: string;
    };
    expect(planned.out).toContain(`Checksum</bdi></dt><dd><bdi class="text">${checksum}</bdi>`);
    expect(planned.out).not.toContain('>Commit<');
    const github = {
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/fleet',
      GITHUB_REF: 'refs/pull/12/merge',
      GITHUB_SHA: 'a'.repeat(40),
    };
    const shown = (env: Readonly<Record<string, string>>) =>
      rampart('show plan.json --format html', { env }).then(({ out }) => out);
    const page = await shown(github);
    expect(page).toContain(`Commit</bdi></dt><dd><bdi class="text">${'a'.repeat(40)}</bdi>`);
    expect(page).toContain('<a href="https://github.com/acme/fleet/pull/12" rel="noreferrer">');
    const hostile = await shown({
      ...github,
      GITHUB_SERVER_URL: 'javascript:alert(1)//',
      GITHUB_REPOSITORY: '"><script>x',
      GITHUB_SHA: '<u>x',
    });
    expect(hostile).not.toMatch(/javascript:|<script>x|<u>|Pull request/);
  });
});
