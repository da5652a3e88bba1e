import { expect, test } from 'vitest';
import type { KnownDrift } from '../../../src/core/model/desired.ts';
import { knownDrifts } from '../../../src/core/plan/drift/known-drifts.ts';
import { hostId } from '../../given/fleet.ts';

const place = { file: 'fleet.yaml', line: 1, col: 1 };
const now = '2026-01-01T00:00:00Z';

function known(host: number | string, attribute: 'name' | 'group', reason: string): KnownDrift {
  return {
    host: typeof host === 'string' ? { name: host } : { id: hostId(host) },
    attributes: [attribute],
    reason,
    place,
  };
}

test('the first known drift in the file that means a difference gives the reason', () => {
  const register = knownDrifts(
    [
      known('ONE', 'group', 'of another attribute'),
      known('NEW', 'name', 'by the intended name'),
      known(1, 'name', 'by the id'),
      known('OLD', 'name', 'by the name before'),
      known('null', 'group', 'of a host with this name'),
    ],
    now,
  );
  const ofName = { hostId: '1', name: 'ONE', attribute: 'name', before: 'OLD' };
  expect(register.noteOn({ ...ofName, intended: 'NEW' })).toEqual({ known: 'by the intended name' });
  expect(register.noteOn({ ...ofName, intended: 'ANOTHER' })).toEqual({ known: 'by the id' });
  expect(register.noteOn({ hostId: '2', name: null, attribute: 'group', intended: 'NEW' })).toEqual({});
  expect(register.problems()).toHaveLength(3);
});

test('100,000 known drifts are found without comparing each with each difference', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => index);
  const register = knownDrifts(
    ids.map((id) => known(id % 2 === 0 ? id : `PC-${id}`, 'group', `reason ${id}`)),
    now,
  );
  const reasons = ids.map(
    (id) => register.noteOn({ hostId: `${id}`, name: `PC-${id}`, attribute: 'group', intended: 'B' }).known,
  );
  expect(reasons).toEqual(ids.map((id) => `reason ${id}`));
  expect(register.problems()).toEqual([]);
});
