import { createHash } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type GitCall, runGit } from '../../../../src/server/sources/rules/git-process.ts';
import { isRunning } from '../../../given/is-running.ts';
import { givenGit } from '../fake-git.ts';

function given() {
  const git = givenGit();
  const folder = mkdtempSync(join(tmpdir(), 'rampart-bare-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (changed: Partial<GitCall> = {}) =>
    runGit({
      argv: ['version'],
      folder,
      env: git.env,
      mostBytes: 1_000_000,
      mostStored: 1_000_000,
      deadline: performance.now() + 60_000,
      ...changed,
    });
  return { git, folder, run };
}

/** A pack with one small object, and a difference that copies it until it has this size. */
function deltaBomb(bytes: number): Buffer {
  const base = Buffer.alloc(0xffffff);
  const copies = Math.ceil(bytes / base.length);
  const copy = Buffer.from([0xf0, 0xff, 0xff, 0xff]);
  const delta = [varint(base.length), varint(base.length * copies), ...Array<Buffer>(copies).fill(copy)];
  const id = createHash('sha1').update(`blob ${base.length}\0`).update(base).digest();
  const difference = Buffer.concat(delta);
  return packOf([packedObject(3, base.length, base), packedObject(7, difference.length, difference, id)]);
}

function packedObject(type: number, size: number, content: Buffer, base = Buffer.alloc(0)): Buffer {
  const more = Math.floor(size / 16);
  const head = Buffer.from([(type << 4) | (size % 16) | (more > 0 ? 128 : 0)]);
  return Buffer.concat([head, more > 0 ? varint(more) : Buffer.alloc(0), base, deflateSync(content)]);
}

function packOf(objects: readonly Buffer[]): Buffer {
  const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
  head.writeUInt32BE(objects.length, 8);
  const body = Buffer.concat([head, ...objects]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; left > 0 || bytes.length === 0; left = Math.floor(left / 128))
    bytes.push((left % 128) | (left >= 128 ? 128 : 0));
  return Buffer.from(bytes);
}

const done = (output: string) => ({ kind: 'done', output: Buffer.from(output) });

describe('a call of Git', () => {
  test('gets its arguments and its input, and returns what Git prints', async () => {
    const { git, run } = given();
    git.prints('version', 'git version 2\n');
    expect(await run({ input: 'a\nb\n' })).toEqual(done('git version 2\n'));
    expect(await run()).toEqual(done('git version 2\n'));
    expect(git.calls()).toEqual([
      ['--no-replace-objects', 'version'],
      ['--no-replace-objects', 'version'],
    ]);
    expect(git.input('version')).toBe('a\nb\n');
  });

  test('reads no configuration, asks nobody and follows no redirect', async () => {
    const { git, run } = given();
    await run({ settings: [['remote.origin.url', 'https://git.example.com/x']] });
    expect(git.settings('version')).toEqual({
      'core.hooksPath': devNull,
      'core.fsmonitor': 'false',
      'core.bigFileThreshold': '1m',
      'credential.helper': '',
      'fetch.fsckObjects': 'true',
      'fetch.recurseSubmodules': 'false',
      'fetch.writeCommitGraph': 'false',
      'gc.auto': '0',
      'maintenance.auto': 'false',
      'pack.threads': '1',
      'http.followRedirects': 'false',
      'http.lowSpeedLimit': '1000',
      'http.lowSpeedTime': '20',
      'protocol.allow': 'user',
      'safe.bareRepository': 'all',
      'submodule.recurse': 'false',
      'remote.origin.url': 'https://git.example.com/x',
    });
    expect(git.environment('version')).toMatchObject({
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_ATTR_NOSYSTEM: '1',
      GIT_DIR: '.',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '/bin/false',
      SSH_ASKPASS: '/bin/false',
      GIT_SSH_COMMAND: '/bin/false',
      GIT_SSH_VARIANT: 'ssh',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_PROTOCOL_FROM_USER: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_ALLOC_LIMIT: '128m',
      LC_ALL: 'C',
      LANGUAGE: '',
    });
  });

  test('may use the configured protocols and SSH command', async () => {
    const { git, run } = given();
    await run({ protocols: ['https', 'ssh'], ssh: "ssh -F '/dev/null'" });
    expect(git.environment('version')).toMatchObject({
      GIT_ALLOW_PROTOCOL: 'https:ssh',
      GIT_SSH_COMMAND: "ssh -F '/dev/null'",
    });
  });

  test('gets only the variables of the server that it needs', async () => {
    const { git, run } = given();
    const passed = {
      HOME: '/home/rampart',
      TMPDIR: '/tmp',
      https_proxy: 'http://proxy.example.com:3128',
      NO_PROXY: 'internal',
      ALL_PROXY: 'http://proxy.example.com:3128',
    };
    const kept = { RAMPART_KEY: 'secret', SSH_AUTH_SOCK: '/tmp/agent', GIT_SSH: 'evil', HOMEPAGE: 'x' };
    await run({ env: { ...git.env, ...passed, ...kept, HTTP_PROXY: undefined } });
    const own = git.environment('version');
    expect(own).toMatchObject(passed);
    for (const name of [...Object.keys(kept), 'HTTP_PROXY']) expect(own).not.toHaveProperty(name);
  });

  test('that fails returns what Git printed, up to a limit', async () => {
    const { git, run } = given();
    git.fails('version', 'fatal: no');
    expect(await run()).toEqual({ kind: 'failed', text: 'fatal: no' });
    git.fails('version', 'x'.repeat(1_000_000));
    const end = await run();
    expect(end.kind === 'failed' && end.text.length).toBeLessThan(200_000);
  });

  test('is not started without Git', async () => {
    const { run } = given();
    expect(await run({ env: { PATH: '/nonexistent' } })).toEqual({ kind: 'not-started', code: 'ENOENT' });
  });

  test('ends once it prints more than allowed', async () => {
    const { git, run } = given();
    git.prints('version', 'x'.repeat(1_000));
    expect(await run({ mostBytes: 1_000 })).toEqual(done('x'.repeat(1_000)));
    expect(await run({ mostBytes: 999 })).toEqual({ kind: 'stopped', why: 'size' });
    git.prints('version', 'x'.repeat(500_000));
    expect(await run({ mostBytes: 499_999 })).toEqual({ kind: 'stopped', why: 'size' });
  });

  test.each(['objects', 'objects/pack'])(
    'is stopped if its repository has grown too large in %s',
    async (place) => {
      const { folder, run } = given();
      mkdirSync(join(folder, 'objects/pack'), { recursive: true });
      writeFileSync(join(folder, place, 'a.pack'), 'x'.repeat(600));
      writeFileSync(join(folder, place, 'b.pack'), 'x'.repeat(400));
      expect(await run({ mostStored: 1_000 })).toEqual(done(''));
      expect(await run({ mostStored: 999 })).toEqual({ kind: 'stopped', why: 'size' });
    },
  );

  test('is stopped while its repository grows too large', async () => {
    const { git, folder, run } = given();
    mkdirSync(join(folder, 'objects'));
    git.does('version', 'printf 12345 > objects/part; sleep 20');
    expect(await run({ mostStored: 4 })).toEqual({ kind: 'stopped', why: 'size' });
  });

  test('is stopped when its time is over', async () => {
    const { git, run } = given();
    git.does('version', 'sleep 20');
    expect(await run({ deadline: performance.now() + 20 })).toEqual({ kind: 'stopped', why: 'time' });
    expect(await run({ deadline: performance.now() - 1_000 })).toEqual({ kind: 'stopped', why: 'time' });
  });

  test('is stopped by its signal, before it starts and afterwards', async () => {
    const { git, run } = given();
    expect(await run({ signal: AbortSignal.abort() })).toEqual({ kind: 'stopped', why: 'cancelled' });
    expect(git.calls()).toEqual([]);
    git.does('version', 'sleep 20');
    const stop = new AbortController();
    const ended = run({ signal: stop.signal });
    stop.abort();
    expect(await ended).toEqual({ kind: 'stopped', why: 'cancelled' });
  });

  test.each([
    ['a blob by its difference to a small one', (bytes: number) => deltaBomb(bytes)],
    ['a tree of zeros', (bytes: number) => packOf([packedObject(2, bytes, Buffer.alloc(bytes))])],
  ])('takes no more memory than its limit for %s', async (_what, pack) => {
    const { folder, run } = given();
    const { env } = process;
    await run({ env, argv: ['init', '--quiet', '--bare'] });
    const index = async (bytes: number) => {
      writeFileSync(join(folder, 'hostile.pack'), pack(bytes));
      return run({ env, argv: ['index-pack', 'hostile.pack'], mostStored: 1_000_000_000 });
    };
    expect(await index(160 * 1024 * 1024)).toMatchObject({
      kind: 'failed',
      text: expect.stringMatching(/attempting to allocate \d+ over limit/),
    });
  });

  test('leaves no process, timer or listener', async () => {
    const { git, folder, run } = given();
    const { signal } = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    git.does('version', `sleep 600 > /dev/null 2>&1 < /dev/null & echo "$!" > '${folder}/helper'`);
    expect(await run({ signal })).toEqual(done(''));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(timers()).toBeLessThanOrEqual(before);
    const helper = Number(readFileSync(join(folder, 'helper'), 'utf8'));
    await expect.poll(() => isRunning(helper), { interval: 5 }).toBe(false);
  });

  test('survives a Git that reads no input', async () => {
    const { git, run } = given();
    writeFileSync(join(git.folder, 'git'), '#!/bin/sh\nexec <&-\nexit 0\n');
    expect(await run({ input: 'x'.repeat(5_000_000) })).toEqual(done(''));
  });
});
