import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import type { EntryChange } from '../../../src/input/writing/change-entries.ts';
import { changeHosts } from '../../../src/input/writing/change-hosts.ts';
import { editedText } from '../../../src/input/writing/edited-source.ts';
import { givenDesired } from '../../given/desired.ts';
import { hostId } from '../../given/fleet.ts';

/** The file after a change of the host 1, whose entry is the first one, or of the host 9, which has none. */
function changed(text: string, changes: readonly EntryChange[], { id = '1', table = '' } = {}) {
  const sources = [{ file: 'fleet.yaml', text }];
  const tables = table === '' ? [] : [{ file: 'hosts.csv', text: table }];
  const openTable = () => ok(tables[0] ?? { file: '', text: '' });
  const desired = readDesired(sources, { openTable });
  if (!desired.ok) throw new Error(desired.problems[0]?.message);
  const result = changeHosts(
    { sources, tables, desired: desired.value },
    changes.map((change) => ({
      hostId: id as HostId,
      entry: id === '1' ? 0 : undefined,
      change,
      of: change.kind,
    })),
    { mayAdd: true },
  );
  if (!result.ok) throw new Error(result.problems[0]?.message);
  const { edited, refused } = result.value;
  const after = edited.map(editedText).join('');
  if (table === '' && after !== '') {
    const again = readDesired([{ file: 'fleet.yaml', text: after }]);
    expect(again.problems).toEqual([]);
  }
  return refused.length > 0 ? refused.map(({ why }) => why) : after;
}

const block = `version: 1
hosts:
  - id: 1
    name: ONE # agreed
    group: Berlin
    antivirus: installed
  - id: 2
`;
const flow =
  'version: 1\nhosts:\n  - { id: 1, name: ONE, group: Berlin, antivirus: installed }\n  - { id: 2 }\n';
const json = '{"version": 1, "hosts": [{"id": 1, "antivirus": "installed"}]}';

describe('a host that should be deleted', () => {
  it.each([
    [
      'an entry on several lines',
      block,
      block.replace('group: Berlin\n    antivirus: installed', 'ensure: absent'),
    ],
    ['an entry in braces', flow, flow.replace('group: Berlin, antivirus: installed', 'ensure: absent')],
    ['an entry in JSON', json, json.replace('"antivirus": "installed"', '"ensure": "absent"')],
    [
      'an entry that said to keep it',
      block.replace('group: Berlin\n    antivirus: installed', 'ensure: present'),
      block.replace('group: Berlin\n    antivirus: installed', 'ensure: absent'),
    ],
    [
      'an entry that begins with all of these',
      'version: 1\nhosts:\n  - group: Berlin\n    antivirus: installed\n    ensure: present\n    id: 1\n',
      'version: 1\nhosts:\n  - ensure: absent\n    id: 1\n',
    ],
    [
      'an entry without a group',
      'version: 1\nhosts:\n  - id: 1\n    name: ONE\n',
      'version: 1\nhosts:\n  - id: 1\n    name: ONE\n    ensure: absent\n',
    ],
  ])('loses its group and its anti-virus in %s', (_name, before, after) => {
    expect(changed(before, [{ kind: 'absent' }])).toBe(after);
  });

  it('gets an entry if it has none', () => {
    expect(changed(flow, [{ kind: 'absent' }], { id: '9' })).toBe(`${flow}  - { id: 9, ensure: absent }\n`);
  });

  it('is marked in its row of a table', () => {
    const text = 'version: 1\nhostsFrom: hosts.csv\n';
    const table = 'id;name;group;ensure\n1;ONE;Berlin;\n2;TWO;;\n';
    expect(changed(text, [{ kind: 'absent' }], { table })).toBe(
      'id;name;group;ensure\n1;ONE;;absent\n2;TWO;;\n',
    );
    expect(changed(text, [{ kind: 'absent' }], { table: `sep=;\n${table}` })).toBe(
      'sep=;\nid;name;group;ensure\n1;ONE;;absent\n2;TWO;;\n',
    );
    expect(changed(text, [{ kind: 'antivirus' }], { table })).toEqual([
      "its row does not set this, or the table can't contain it",
    ]);
  });
});

it('a host that should get the anti-virus gets the key in its entry, or an entry', () => {
  const bare = 'version: 1\nhosts:\n  - id: 1\n';
  expect(changed(bare, [{ kind: 'antivirus' }])).toBe(`${bare}    antivirus: installed\n`);
  expect(changed(bare, [{ kind: 'antivirus' }], { id: '9' })).toBe(
    `${bare}  - id: 9\n    antivirus: installed\n`,
  );
});

describe('a new name', () => {
  it('replaces a text on several lines, and no line after it', () => {
    const folded = block.replace('ONE # agreed', '>-\n      ONE');
    expect(changed(folded, [{ kind: 'name', name: 'NEW' }])).toBe(block.replace('ONE # agreed', 'NEW'));
  });

  it('is in the row of its host, whatever ends the rows of the table', () => {
    for (const end of ['\r', '\n', '\r\n']) {
      const table = ['id,name', '1,ONE', '2,TWO', '3,THREE', ''].join(end);
      expect(changed('version: 1\nhostsFrom: hosts.csv\n', [{ kind: 'name', name: 'NEW' }], { table })).toBe(
        table.replace('ONE', 'NEW'),
      );
    }
  });
});

it('a name or a group like the error of a formula leaves its row of a table as it was', () => {
  const table = 'id,name,group\n1,ONE,Berlin\n2,TWO,Oslo\n';
  for (const text of ['#N/A', '#REF!']) {
    const named = { kind: 'group', group: { kind: 'named', name: text } } as const;
    for (const change of [{ kind: 'name', name: text } as const, named])
      expect(changed('version: 1\nhostsFrom: hosts.csv\n', [change], { table })).toEqual([
        "its row does not set this, or the table can't contain it",
      ]);
  }
});

it('the last entry of a list stays if all of its hosts were deleted, because a list in lines is never empty', () => {
  const text = 'version: 1\r\nhosts:\r\n  - id: 1\r\n  - id: 2\r\n';
  expect(changed(text, [{ kind: 'no-host' }, { kind: 'no-host' }])).toHaveLength(1);
  expect(changed(text.replace('1\r\n  - id: 2', '1'), [{ kind: 'no-host' }])).toHaveLength(1);
});

it('refuses the changes of 150,000 hosts in one file without copying them for each', () => {
  const entries = Array.from({ length: 150_000 }, (_, index) => ({ id: index }));
  const state = { sources: [], tables: [], desired: givenDesired(entries) };
  const changes = entries.map(({ id }) => ({
    hostId: hostId(id),
    entry: id,
    change: { kind: 'absent' } as const,
    of: id,
  }));
  const result = changeHosts(state, changes, { mayAdd: false });
  expect(result.ok && result.value.refused.map(({ of }) => of)).toEqual(entries.map(({ id }) => id));
});

it('asks about each file once, not once for each host that gets an entry there', () => {
  const sources = ['a.yaml', 'b.yaml'].map((file) => ({ file, text: 'version: 1\nhosts: []\n' }));
  const changes = [1, 2, 3].map((id) => ({
    hostId: hostId(id),
    entry: undefined,
    change: { kind: 'name', name: `PC-${id}` } as const,
    of: id,
  }));
  const asked: string[] = [];
  const mayAddTo = (file: string) => asked.push(file) === 1;
  const result = changeHosts({ sources, tables: [], desired: givenDesired([]) }, changes, {
    mayAdd: true,
    mayAddTo,
  });
  expect(result.ok && result.value.edited.map(({ source }) => source.file)).toEqual(['a.yaml']);
  expect(asked).toEqual(['a.yaml', 'b.yaml']);
});
