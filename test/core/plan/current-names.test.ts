import { describe, expect, test } from 'vitest';
import { temporaryName } from '../../../src/core/model/temporary-name.ts';
import { checkCurrentNames } from '../../../src/core/plan/intents/current-names.ts';
import { matchEntries } from '../../../src/core/plan/intents/match.ts';
import { type GivenEntry, givenDesired } from '../../given/desired.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';

const id = hostId(7);
const temporary = (kind: 'rename' | 'deletion', name: string) =>
  temporaryName(kind, id, name, { taken: new Set() });

function check(entry: GivenEntry, liveName: string | null) {
  const desired = givenDesired([entry]);
  const matching = matchEntries(desired, givenFleet([{ id, name: liveName }]), { strict: false });
  return checkCurrentNames(desired, matching);
}

describe('a host is changed if its name is', () => {
  test.each<[string, GivenEntry, string | null]>([
    ['what the entry says', { id, name: 'NEW', current: 'OLD' }, 'OLD'],
    ['what it is to be called', { id, name: 'NEW', current: 'OLD' }, 'NEW'],
    ['what the entry says, and keeps its name', { id, current: 'OLD', group: 'G' }, 'OLD'],
    ['anything, where the entry does not say', { id, name: 'NEW' }, 'X'],
    [
      'the temporary name that an earlier run gave',
      { id, name: 'NEW', current: 'OLD' },
      temporary('rename', 'NEW'),
    ],
    ['what the entry says, and is deleted', { id, current: 'OLD', ensure: 'absent' }, 'OLD'],
    [
      'its temporary name before a deletion',
      { id, current: 'OLD', ensure: 'absent' },
      temporary('deletion', 'OLD'),
    ],
    ['what the entry finds it by', { name: 'NEW', current: 'OLD', previously: ['OLD'] }, 'OLD'],
  ])('%s', (_, entry, liveName) => {
    expect(check(entry, liveName)).toEqual({ problems: [], refused: new Set() });
  });
});

describe('a host is left alone if its name is', () => {
  test.each<[string, GivenEntry, string | null]>([
    ['another one', { id, name: 'NEW', current: 'OLD' }, 'OTHER'],
    ['the same in another letter case', { id, name: 'NEW', current: 'OLD' }, 'old'],
    ['nothing', { id, name: 'NEW', current: 'OLD' }, null],
    ['another one, and the entry deletes the host', { id, current: 'OLD', ensure: 'absent' }, 'OTHER'],
    [
      'the temporary name that another entry gave',
      { id, name: 'NEW', current: 'OLD' },
      temporary('rename', 'OTHER'),
    ],
    [
      'its temporary name before a deletion',
      { id, name: 'NEW', current: 'OLD' },
      temporary('deletion', 'OLD'),
    ],
    ['by a previous name', { name: 'NEW', current: 'OLD', previously: ['OLD', 'OLDER'] }, 'OLDER'],
  ])('%s', (_, entry, liveName) => {
    const { problems, refused } = check(entry, liveName);
    expect(problems).toMatchObject([
      { code: 'name-differs', severity: 'error', place: { line: 1 }, hostIds: ['7'] },
    ]);
    expect(refused).toEqual(new Set([id]));
  });
});

test('a problem names the host, its name and its expected name', () => {
  expect(check({ id, name: 'NEW', current: 'OLD' }, 'OTHER').problems[0]?.message).toBe(
    'host 7 has the name "OTHER", not "OLD"',
  );
});
