import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../../../src/run/state/origin/git.ts';
import { readOrigin } from '../../../../src/run/state/origin/read-origin.ts';
import { givenFolder } from '../../../given/given-folder.ts';

const { PATH } = process.env;
const author = { GIT_AUTHOR_NAME: 'alice', GIT_AUTHOR_EMAIL: 'a@x.example' };
const committer = { GIT_COMMITTER_NAME: 'alice', GIT_COMMITTER_EMAIL: 'a@x.example' };

let folder = '';
let commit = '';
const run = (...argv: readonly string[]) =>
  execFileSync('git', argv, { cwd: folder, env: { PATH, ...author, ...committer }, encoding: 'utf8' }).trim();
beforeAll(() => {
  folder = givenFolder();
  run('init', '--quiet', '--initial-branch', 'fix/names');
  run('commit', '--quiet', '--allow-empty', '--message', 'first');
  commit = run('rev-parse', 'HEAD');
});

function origin(env: Readonly<Record<string, string>> = {}, cwd = folder) {
  return readOrigin({ cwd, env: { PATH, ...env }, command: 'apply', redact: (text) => text });
}

describe('the origin of a run of this process', () => {
  it('is this user, this machine, and the commit and branch of the folder', async () => {
    expect(await origin()).toStrictEqual({
      actor: userInfo().username,
      host: hostname(),
      command: 'apply',
      commit,
      branch: 'fix/names',
    });
  });

  it('has no branch in a checkout of a single commit', async () => {
    run('checkout', '--quiet', '--detach');
    const found = await origin();
    run('checkout', '--quiet', 'fix/names');
    expect(found).toMatchObject({ commit });
    expect(found.branch).toBeUndefined();
  });

  it('has no commit and no branch outside of a repository', async () => {
    const found = await origin({}, tmpdir());
    expect(found).toStrictEqual({ actor: userInfo().username, host: hostname(), command: 'apply' });
  });

  it('starts Git only in a repository', async () => {
    const programs = givenFolder();
    writeFileSync(join(programs, 'git'), '#!/bin/sh\necho started', { mode: 0o700 });
    const env = { PATH: programs };
    mkdirSync(join(folder, 'below'));
    expect((await origin(env, join(folder, 'below'))).commit).toBe('started');
    expect((await origin(env, programs)).commit).toBeUndefined();
    expect((await origin({ ...env, GIT_DIR: join(folder, '.git') }, programs)).commit).toBe('started');
  });

  it('does not run Git if the environment contains the commit', async () => {
    const found = await origin({ RAMPART_RUN_COMMIT: 'abc123' });
    expect(found.commit).toBe('abc123');
    expect(found.branch).toBeUndefined();
  });
});

describe('Git', () => {
  it('gets the variables that it needs, and no secret', async () => {
    const env = { PATH, GIT_EDITOR: 'vi', RAMPART_PSK: 's3cr3t-value' };
    const printed = await git(['-c', 'alias.show-env=!env', 'show-env'], { cwd: folder, env });
    const names = printed?.toString().split('\n');
    expect(names).toContain('GIT_EDITOR=vi');
    expect(names).toContain('GIT_TERMINAL_PROMPT=0');
    expect(printed?.toString()).not.toContain('s3cr3t-value');
  });

  it('returns bytes, and nothing if it fails or prints more than is allowed', async () => {
    const options = { cwd: folder, env: { PATH } };
    expect(await git(['rev-parse', 'HEAD'], options)).toEqual(Buffer.from(`${commit}\n`));
    expect(await git(['rev-parse', 'HEAD'], { ...options, maxBytes: 10 })).toBeUndefined();
    expect(await git(['rev-parse', 'no-such-branch'], options)).toBeUndefined();
  });

  it('reads its input, and ends without input', async () => {
    const options = { cwd: folder, env: { PATH } };
    const hashed = await git(['hash-object', '--stdin'], { ...options, input: 'text' });
    const expected = createHash('sha1').update('blob 4\0text').digest('hex');
    expect(hashed?.toString()).toBe(`${expected}\n`);
    const large = { ...options, input: 'x'.repeat(2 ** 20) };
    expect(await git(['rev-parse', 'no-such-branch'], large)).toBeUndefined();
  });

  it('uses no folder of a checkout that looks like a bare repository', async () => {
    run('init', '--quiet', '--bare', 'bare');
    const options = { cwd: join(folder, 'bare'), env: { PATH } };
    expect(await git(['rev-parse', '--git-dir'], options)).toBeUndefined();
  });
});
