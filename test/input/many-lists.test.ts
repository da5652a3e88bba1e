import '../tiers/uses-a-system.ts';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Desired } from '../../src/core/model/desired.ts';
import { createDesiredLoader, type DesiredLoader, loadDesired } from '../../src/input/load-desired.ts';
import { newFolder, putFiles } from '../given/folder.ts';

let cwd: string;

beforeEach(() => {
  cwd = newFolder();
});

const put = (files: Parameters<typeof putFiles>[1]) => putFiles(cwd, files);

const loader = (...lists: readonly (readonly string[])[]) => createDesiredLoader({ cwd }, lists);

async function loaded(load: DesiredLoader, ...paths: readonly string[]): Promise<Desired> {
  const result = await load(paths);
  if (!result.ok) throw new Error(result.problems.map((each) => each.message).join('\n'));
  return result.value;
}

/** Everything that a plan reads of a desired state. */
function contentOf(state: Desired) {
  const indexes = Array.from({ length: state.count }, (_, index) => index);
  return {
    files: state.files,
    entries: indexes.map((index) => [state.at(index), state.placeOf(index)]),
    rules: state.rules.map(({ index, name, when }) => [
      index,
      name,
      when.source,
      state.placeOfRule(index, 'when'),
    ]),
    limits: state.limits,
    policy: state.policy.protect.map(({ name, place }) => [name, place]),
  };
}

const shared = {
  'shared/rules.yaml':
    'version: 1\nrules:\n  - { name: kiosks, when: account.labels.region == "eu", group: Kiosks }\npolicy:\n  protect: [{ name: servers, when: host.online, from: [delete] }]\n',
  'shared/hosts.yaml': 'version: 1\nhosts: [{ id: 1 }, { id: 2 }]\nhostsFrom: more.csv\n',
  'shared/more.csv': 'id\n3\n',
};

describe('accounts with the same files', () => {
  test('share the compiled conditions of the files, and each keeps its own entries', async () => {
    await put({
      ...shared,
      'a.yaml': 'version: 1\nhosts: [{ id: 11 }]\n',
      'b.yaml': 'version: 1\nhosts: [{ id: 12 }]\nrules: [{ name: own, when: host.online, group: B }]\n',
    });
    const load = loader(['shared', 'a.yaml'], ['shared', 'b.yaml']);
    const a = await loaded(load, 'shared', 'a.yaml');
    const b = await loaded(load, 'shared', 'b.yaml');
    expect(a.rules[0]?.when).toBe(b.rules[0]?.when);
    expect([a.count, b.count]).toEqual([4, 4]);
    expect([a.at(3).id, b.at(3).id]).toEqual(['11', '12']);
    expect(b.rules.map(({ index, name }) => [index, name])).toEqual([
      [0, 'kiosks'],
      [1, 'own'],
    ]);
  });

  test('get the same result as alone, even if their own files come first', async () => {
    await put({
      ...shared,
      'a.yaml': 'version: 1\nhosts: [{ id: 11 }]\n',
      'b.yaml': 'version: 1\nhosts: []\n',
    });
    const lists = [
      ['shared', 'a.yaml'],
      ['b.yaml', 'shared'],
      ['a.yaml', 'shared'],
      ['shared', 'shared/hosts.yaml'],
      ['shared', 'a.yaml'],
    ];
    const load = loader(...lists);
    for (const paths of lists) {
      const alone = await loadDesired(paths, { cwd });
      if (!alone.ok) throw new Error('it does not load alone');
      expect(contentOf(await loaded(load, ...paths))).toEqual(contentOf(alone.value));
    }
  });

  test('get the whole result of the first if their lists are the same', async () => {
    await put(shared);
    const load = loader(['shared'], ['shared']);
    expect(await loaded(load, 'shared')).toBe(await loaded(load, 'shared'));
  });

  test('run a shared script once, even in parallel', async () => {
    await put({
      'shared/rules.fleet.ts':
        'console.log("ran"); export default { rules: [{ name: "r", when: "host.online", group: "G" }] };',
      'a.yaml': 'version: 1\nhosts: []\n',
      'b.yaml': 'version: 1\nhosts: []\n',
    });
    const printed: string[] = [];
    const onOutput = (text: string) => {
      printed.push(text);
    };
    const lists = [
      ['shared', 'a.yaml'],
      ['shared', 'b.yaml'],
    ];
    const load = createDesiredLoader({ cwd, onOutput }, lists);
    const [a, b] = await Promise.all([loaded(load, 'shared', 'a.yaml'), loaded(load, 'shared', 'b.yaml')]);
    expect(a.rules[0]?.when).toBe(b.rules[0]?.when);
    expect(printed.join('').match(/ran/g)).toHaveLength(1);
  });

  test('read shared files once: a change between two accounts has no effect', async () => {
    await put({ ...shared, 'a.yaml': 'version: 1\nhosts: []\n', 'b.yaml': 'version: 1\nhosts: []\n' });
    const load = loader(['shared', 'a.yaml'], ['shared', 'b.yaml']);
    await loaded(load, 'shared', 'a.yaml');
    await appendFile(join(cwd, 'shared/hosts.yaml'), '# changed\nrules: []\n');
    expect((await loaded(load, 'shared', 'b.yaml')).rules).toHaveLength(1);
    expect(await readFile(join(cwd, 'shared/hosts.yaml'), 'utf8')).toContain('changed');
  });

  test('each get every error and warning of a shared file', async () => {
    await put({
      'shared.yaml': 'version: 1\nhosts: [{ id: 1, nmae: X }]\n',
      'a.yaml': 'version: 1\nhosts: []\n',
      'b.yaml': 'version: 1\nhosts: []\n',
    });
    const load = loader(['shared.yaml', 'a.yaml'], ['shared.yaml', 'b.yaml']);
    const [first, second] = [await load(['shared.yaml', 'a.yaml']), await load(['shared.yaml', 'b.yaml'])];
    expect(first.ok).toBe(false);
    expect(first.problems.map(({ code }) => code)).toContain('unknown-key');
    expect(second.problems).toEqual(first.problems);
  });

  test('an error in the file of one account is not an error of another', async () => {
    await put({
      ...shared,
      'a.yaml': 'version: 1\nhosts: [{ id: 1 }]\n',
      'b.yaml': 'version: 1\nhosts: []\n',
    });
    const load = loader(['shared', 'a.yaml'], ['shared', 'b.yaml']);
    expect((await load(['shared', 'a.yaml'])).ok).toBe(false);
    expect((await load(['shared', 'b.yaml'])).ok).toBe(true);
  });
});

test('a list that only one account has is read again', async () => {
  await put({ 'a.yaml': 'version: 1\nhosts: []\n' });
  const load = loader(['a.yaml'], ['b.yaml']);
  expect(await loaded(load, 'a.yaml')).not.toBe(await loaded(load, 'a.yaml'));
});
