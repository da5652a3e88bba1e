import fc from 'fast-check';
import { type Observed, observe } from '../../src/core/model/observed.ts';
import { at, groupId, hostId } from './fleet.ts';
import { hostileName } from './hostile-names.ts';

/** Names as accounts have them, and names that mean something to YAML, to CSV, to HCL or to Rampart itself. */
export const trickyNames: readonly string[] = [
  'BER-WEB-01',
  'ber-web-01',
  'Müller’s laptop',
  'Mu\u0308ller’s laptop',
  'null',
  'yes',
  '~',
  '12',
  '1e5',
  '0x1F',
  '12:30',
  '- item',
  '? key',
  'a: b',
  'a #b',
  '#REF!',
  '@home',
  '`tick`',
  '{ id: 1 }',
  '[a]',
  '&a',
  '*a',
  '!tag',
  '|',
  '>',
  '%YAML 1.2',
  '---',
  '...',
  "it's",
  'say "hi"',
  'back\\slash',
  '${path.root}',
  '%{ if true }',
  '=1+1',
  '(none)',
  ' edges ',
  '   ',
  'a,b;c|d',
  'two\nlines\n  - id: 666',
  'cr\rhere',
  'nul\u0000',
  'bom\ufeff',
  'rtl\u202etxt',
  'line\u2028sep',
  'half\ud800',
  'BER-WEB-02 ~rampart~3f9a1c',
  'OLD ~rampart-gone~81b2c0',
  'L'.repeat(10_000),
];

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...trickyNames) },
  { weight: 3, arbitrary: hostileName },
  { weight: 1, arbitrary: fc.constant(null) },
);

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);

/** Any fleet that lists could show: names that are null, twice there or hostile, groups that are not listed. */
export const hostileFleets: fc.Arbitrary<Observed> = fc
  .record({
    groups: fc.uniqueArray(fc.record({ id: int64, name }), { selector: ({ id }) => id, maxLength: 5 }),
    hosts: fc.uniqueArray(
      fc.record({ id: int64, name, group: fc.nat(7), antivirus: fc.constantFrom(true, false, undefined) }),
      { selector: ({ id }) => id, maxLength: 12 },
    ),
  })
  .map(({ groups, hosts }) => {
    const listed = groups.filter(({ id }) => id !== '-1');
    const idAt = (index: number) => listed[index]?.id ?? (index === 6 ? '99' : '-1');
    return observe({
      takenAt: at,
      lists: [{ list: 'hosts-with-groups', at }],
      groups: [
        { id: groupId(-1), name: null },
        ...listed.map(({ id, name: called }) => ({ id: groupId(id), name: called })),
      ],
      hosts: hosts.map(({ id, name: called, group, antivirus }) => ({
        id: hostId(id),
        name: called,
        groupId: groupId(idAt(group)),
        online: true,
        ...(antivirus === undefined ? {} : { antivirus: { installed: antivirus, supported: true } }),
      })),
    });
  });
