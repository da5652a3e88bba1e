import { describe, expect, it, test } from 'vitest';
import type { Desired } from '../../src/core/model/desired.ts';
import { noPolicy } from '../../src/core/model/policy.ts';
import { readDesired } from '../../src/input/read-desired.ts';

function read(...texts: readonly string[]): Desired {
  const result = readDesired(texts.map((text, index) => ({ file: `${index + 1}.yaml`, text })));
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join('; '));
  return result.value;
}

function problemsOf(...texts: readonly string[]) {
  return readDesired(texts.map((text, index) => ({ file: `${index + 1}.yaml`, text }))).problems.map(
    ({ code, message, place, related }) => ({
      code,
      message,
      at: `${place?.file}:${place?.line}:${place?.col}`,
      ...(related === undefined ? {} : { related: related.map(({ file, line }) => `${file}:${line}`) }),
    }),
  );
}

const head = 'version: 1\nhosts: []\n';

it('a file without policies has none', () => {
  expect(read(head).policy).toEqual(noPolicy);
});

it('reads every kind of policy, each with its place', () => {
  const { policy, limits } = read(`${head}unmanaged: report
policy:
  limits: { antivirus: 50 }
  protect:
    - { when: 'host.group == "DC"', from: [delete, rename] }
    - { name: kiosks, when: 'host.online', from: [move], message: they are bolted down }
  deny:
    - name: no-online-deletes
      when: change.kind == "delete" && host.online
      message: online hosts are never deleted
  warn:
    - { name: case, when: 'change.kind == "rename"', message: look again }
  windows:
    - { name: nights, only: "Mon-Fri 20:00-06:00 Europe/Berlin", kinds: [rename, move], message: by night }
    - { name: weekends, only: [Sat UTC, Sun UTC] }
  freeze:
    - { name: year end, from: 2026-12-20T00:00:00+01:00, until: 2027-01-07T00:00:00+01:00, message: closing }
groups:
  - group: Berlin Servers
    unmanaged: forbid
    exclusive: true
    othersTo: null
    limits: { delete: 0, move: 10% }
  - { group: { id: 17 }, exclusive: true }
`);
  expect(limits.antivirus).toEqual({ kind: 'count', count: 50 });
  expect(policy).toMatchObject({
    unmanaged: { what: 'report', place: { line: 3, col: 1 } },
    protect: [
      { name: 'host.group == "DC"', from: ['delete', 'rename'], place: { line: 7, col: 9 } },
      { name: 'kiosks', from: ['move'], message: 'they are bolted down' },
    ],
    changes: [
      {
        name: 'no-online-deletes',
        effect: 'deny',
        when: { source: 'change.kind == "delete" && host.online' },
        message: 'online hosts are never deleted',
        place: { line: 10, col: 7 },
      },
      { name: 'case', effect: 'warn' },
    ],
    windows: [
      { name: 'nights', only: [{ days: [1, 2, 3, 4, 5] }], kinds: ['rename', 'move'], message: 'by night' },
      { name: 'weekends', only: [{ days: [6] }, { days: [7] }] },
    ],
    freezes: [{ name: 'year end', from: '2026-12-20T00:00:00+01:00', until: '2027-01-07T00:00:00+01:00' }],
    groups: [
      {
        group: { kind: 'named', name: 'Berlin Servers' },
        unmanaged: 'forbid',
        exclusive: true,
        othersTo: { group: { kind: 'ungrouped' }, place: { line: 24, col: 15 } },
        limits: { delete: { kind: 'count', count: 0 }, move: { kind: 'share', percent: 10 } },
        place: { line: 21, col: 5 },
      },
      { group: { kind: 'id', id: '17' }, exclusive: true, limits: {} },
    ],
  });
});

test.each([
  ['one freeze without a name', 'freeze: { until: 2027-01-07T00:00:00Z }', { name: 'freeze' }],
  ['a freeze without an end', 'freeze: [{ name: stop, from: 2027-01-07T00:00:00Z }]', { name: 'stop' }],
  ['a freeze of everything', 'freeze: { message: ask Ada }', { name: 'freeze', message: 'ask Ada' }],
])('%s', (_what, text, freeze) => {
  expect(read(`${head}policy:\n  ${text}\n`).policy.freezes).toMatchObject([freeze]);
});

describe('several files', () => {
  it('are enforced together', () => {
    const { policy } = read(
      `${head}policy: { freeze: { name: a } }\ngroups: [{ group: A, exclusive: true }]\n`,
      `${head}unmanaged: forbid\npolicy: { freeze: { name: b } }\ngroups: [{ group: B, exclusive: true }]\n`,
    );
    expect(policy.freezes.map(({ name, place }) => [name, place.file])).toEqual([
      ['a', '1.yaml'],
      ['b', '2.yaml'],
    ]);
    expect(policy.groups).toHaveLength(2);
    expect(policy.unmanaged?.what).toBe('forbid');
  });

  it('refuse a key that may appear only once in a second file', () => {
    expect(
      problemsOf(
        `${head}unmanaged: report\npolicy: { freeze: { name: a } }\ngroups: [{ group: A, exclusive: true }]\n`,
        `${head}unmanaged: report\npolicy: { freeze: { name: a } }\ngroups: [{ group: A, exclusive: true }]\n`,
      ),
    ).toEqual([
      {
        code: 'duplicate-key',
        message: '"unmanaged" is set in two files',
        at: '2.yaml:3:1',
        related: ['1.yaml:3'],
      },
      {
        code: 'duplicate-name',
        message: 'two policies have the name "a"',
        at: '2.yaml:4:21',
        related: ['1.yaml:4'],
      },
      {
        code: 'duplicate-key',
        message: 'the group is in "groups" twice',
        at: '2.yaml:5:12',
        related: ['1.yaml:5'],
      },
    ]);
  });
});
