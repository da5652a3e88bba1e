import { describe, expect, it } from 'vitest';
import { checkSnapshot } from '../../../src/core/model/check-snapshot.ts';
import { type FactNeeds, needsNothing, noFacts } from '../../../src/core/model/facts.ts';
import type { ListName } from '../../../src/core/model/observed.ts';
import { at, givenFleet } from '../../given/fleet.ts';

const snapshotWith = (...lists: readonly ListName[]) => ({
  account: { companyId: '42', service: 'https://service.example' },
  observed: givenFleet([]),
  facts: { ...noFacts, lists: lists.map((list) => ({ list, at })) },
});

describe('a snapshot without a list that is needed', () => {
  const cases: readonly [string, Partial<FactNeeds>, ListName, string][] = [
    ['anti-virus', { antivirus: true }, 'antivirus-details', '--antivirus'],
    ['custom fields', { customFields: true }, 'custom-fields', '--custom-fields'],
    ['hardware inventory', { hardware: ['ServiceTag'] }, 'hardware-inventory', '--inventory'],
    ['system inventory', { system: ['OsType'] }, 'system-inventory', '--inventory'],
  ];
  it.each(cases)('is refused: %s', (what, needs, list, flag) => {
    const all = { ...needsNothing, ...needs };
    const refused = checkSnapshot(snapshotWith(), all, 's.json');
    expect(refused).toMatchObject({ ok: false, problems: [{ code: 'snapshot-invalid' }] });
    expect(refused.problems[0]?.message).toContain(what);
    expect(refused.problems[0]?.hint).toContain(flag);
    expect(checkSnapshot(snapshotWith(list), all, 's.json').ok).toBe(true);
  });
});
