import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failed, ok, problem } from '../../../../src/core/problem/problem.ts';
import { compareFiles } from '../../../../src/server/plans/rules/compare-files.ts';
import { diffPlanFiles } from '../../../../src/server/plans/rules/plan-files.ts';
import { givenAccountConfig } from '../../../given/account-config.ts';
import { settingsOf } from '../../http/given.ts';

const root = mkdtempSync(join(tmpdir(), 'rampart-plan-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

/** The parts of a server that can read these versions of a source. */
function partsOf(versions: Readonly<Record<string, Files>>, paths: readonly string[] = ['fleet.yaml']) {
  const base = mkdtempSync(join(root, 'source-'));
  for (const [version, files] of Object.entries(versions))
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(base, version, file)), { recursive: true });
      writeFileSync(join(base, version, file), text);
    }
  return {
    settings: settingsOf({ accounts: [givenAccountConfig({ name: 'contoso' })] }),
    desired: {
      locate: async (_: unknown, commit = 'none') =>
        commit in versions
          ? ok({ source: 'main', commit, author: null, folder: join(base, commit), paths })
          : failed(problem('network', 'the repository does not answer')),
    },
  };
}

const planAt = (commit: string | null, more: object = {}) => ({
  id: `plan-of-${commit}`,
  account: 'contoso',
  source: 'main',
  commit,
  ...more,
});
const yaml = (...names: readonly string[]) =>
  `version: 1\nhosts:\n${names.map((name, at) => `  - { id: ${at + 1}, name: ${name} }\n`).join('')}`;

describe('the edit of the files behind a plan', () => {
  it('shows the lines since the last applied change', async () => {
    const parts = partsOf({ aaa: { 'fleet.yaml': yaml('A', 'B') }, bbb: { 'fleet.yaml': yaml('A', 'C') } });
    expect(await diffPlanFiles(planAt('bbb'), planAt('aaa'), parts)).toEqual({
      source: 'main',
      commit: 'bbb',
      before: { plan: 'plan-of-aaa', commit: 'aaa' },
      patch: {
        text: [
          '--- fleet.yaml',
          '+++ fleet.yaml',
          '@@ -1,4 +1,4 @@',
          ' version: 1',
          ' hosts:',
          '   - { id: 1, name: A }',
          '-  - { id: 2, name: B }',
          '+  - { id: 2, name: C }',
          '',
        ].join('\n'),
        added: 1,
        removed: 1,
        incomplete: [],
      },
      why: null,
    });
  });

  it('shows the tables that the files refer to, and no file of another account', async () => {
    const csv = (name: string) => `id,name\n1,${name}\n`;
    const version = (name: string) => ({
      'fleet.yaml': 'version: 1\nhostsFrom: hosts.csv\n',
      'hosts.csv': csv(name),
      'others/fleet.yaml': yaml(`SECRET-${name}`),
    });
    const parts = partsOf({ aaa: version('A'), bbb: version('B') });
    const { patch } = await diffPlanFiles(planAt('bbb'), planAt('aaa'), parts);
    expect(patch?.text).toContain('-1,A\n+1,B\n');
    expect(patch?.text).not.toContain('SECRET');
  });

  it.each<[string, ReturnType<typeof planAt>, ReturnType<typeof planAt> | undefined, RegExp]>([
    ['a change that reverses a run', planAt('bbb', { source: 'undo of run 7' }), undefined, /reverses a run/],
    ['a plan without a version', planAt(null), planAt('aaa'), /not record a version/],
    ['the first change', planAt('bbb'), undefined, /nothing to compare with/],
    ['a commit that the remote does not send', planAt('bbb'), planAt('ccc'), /ccc can't be read: the repo/],
    [
      'contents of a folder that are not kept',
      planAt('bbb'),
      planAt('sha256:0123456789'),
      /folder.*01234567/,
    ],
    ['an account with another source', planAt('bbb', { source: 'old' }), planAt('aaa'), /another source now/],
    ['an account that was removed', planAt('bbb', { account: 'fabrikam' }), planAt('aaa'), /no longer/],
  ])('explains why there are no lines: %s', async (_, plan, before, why) => {
    const parts = partsOf({ aaa: { 'fleet.yaml': yaml('A') }, bbb: { 'fleet.yaml': yaml('B') } });
    expect(await diffPlanFiles(plan, before, parts)).toMatchObject({
      patch: null,
      why: expect.stringMatching(why),
    });
  });

  it('shows no lines if the version is unchanged, and does not read it', async () => {
    const answer = await diffPlanFiles(planAt('aaa'), planAt('aaa'), partsOf({}));
    expect(answer).toMatchObject({ patch: { text: '', added: 0, removed: 0 }, why: null });
  });

  it('refuses files that are too large to compare during a request', async () => {
    const large = `${yaml('A')}${'# a comment\n'.repeat(800_000)}`;
    const parts = partsOf({ aaa: { 'fleet.yaml': large }, bbb: { 'fleet.yaml': yaml('B') } });
    expect((await diffPlanFiles(planAt('bbb'), planAt('aaa'), parts)).why).toMatch(/larger than 8 MiB/);
  });
});

describe('the difference between two versions of files', () => {
  const filesOf = (files: Readonly<Record<string, string | Uint8Array>>) =>
    new Map(Object.entries(files).map(([file, text]) => [file, { file, text }]));

  it('shows files that were added and removed', () => {
    const { text } = compareFiles(filesOf({ 'a.yaml': 'a\n' }), filesOf({ 'b.yaml': 'b\n' }));
    expect(text).toBe(
      '--- a.yaml\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n--- /dev/null\n+++ b.yaml\n@@ -0,0 +1,1 @@\n+b\n',
    );
  });

  it('names a file that is not text, or that differs too much, instead of its lines', () => {
    const lines = (start: number) =>
      Array.from({ length: 6_000 }, (_, at) => `line ${start + at}\n`).join('');
    const compared = compareFiles(
      filesOf({ 'bytes.csv': new Uint8Array([255, 254, 0]), 'all.csv': lines(0) }),
      filesOf({ 'bytes.csv': new Uint8Array([255, 254, 1]), 'all.csv': lines(10_000) }),
    );
    expect(compared).toEqual({ text: '', added: 0, removed: 0, incomplete: ['all.csv', 'bytes.csv'] });
  });

  it('counts the lines that do not fit', () => {
    // A comparison ends after half a second, which a busy machine may take.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const wide = (word: string) => `${`${word}${'x'.repeat(400)}\n`.repeat(600)}`;
    expect(compareFiles(filesOf({ a: wide('a') }), filesOf({ a: wide('b') }))).toEqual({
      text: '',
      added: 600,
      removed: 600,
      incomplete: ['a'],
    });
  });

  it('has exactly the lines that turn one text into the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '-d', '+e', '@@'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const compared = compareFiles(
          filesOf({ f: before.map((line) => `${line}\n`).join('') }),
          filesOf({ f: after.map((line) => `${line}\n`).join('') }),
        );
        expect(compared.incomplete).toEqual([]);
        expect(after.length - before.length).toBe(compared.added - compared.removed);
        const body = compared.text.split('\n').slice(3);
        const count = (sign: string) => body.filter((line) => line.startsWith(sign)).length;
        expect([count('+'), count('-')]).toEqual([compared.added, compared.removed]);
        if (before.join('\n') === after.join('\n')) expect(compared.text).toBe('');
      }),
    );
  });
});
