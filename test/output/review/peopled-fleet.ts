import type { GivenHost } from '../../given/fleet.ts';
import { chance, type Pair, type PlantedPlan, plantedPlan } from './planted-plan.ts';

/** How hosts were named: after their owners, their logins, their rooms, or by asset numbers. */
export type OwnNames = 'owners' | 'logins' | 'rooms' | 'assets' | 'two schemes';

export interface PeopledFleet {
  readonly size: number;
  readonly names: OwnNames;
  readonly change: 'both' | 'names' | 'groups';
  /** The same seed gives the same fleet. */
  readonly seed: number;
}

/** Its kind, and how its hosts are made. */
type Mistake = readonly [string, () => readonly Pair[]];

const people = ['anna', 'ben', 'carla', 'david', 'elena', 'felix', 'greta', 'hugo', 'ines', 'jonas', 'katja'];
const families = [
  'meier',
  'kowalski',
  'novak',
  'silva',
  'rossi',
  'garcia',
  'dubois',
  'jensen',
  'nagy',
  'weber',
];
const departments = ['SAL', 'FIN', 'SUP', 'LEG', 'RES'];
const [servers, disposed, meetingRooms] = [90, 91, 92];
const groups: Readonly<Record<string, string>> = {
  [servers]: 'Servers',
  [disposed]: 'Disposed',
  [meetingRooms]: 'Meeting rooms',
  ...Object.fromEntries(
    departments.flatMap((code, at) => [
      [10 + at, `${code} tower`],
      [30 + at, `${code} headquarters`],
    ]),
  ),
};
const gone = { online: false, stateChangedAt: '2023-05-01T00:00:00Z' };

/** Departments move to new headquarters. The names before follow people, rooms or assets, and ten changes are mistakes. */
export function peopledFleet({ size, names, change, seed }: PeopledFleet): PlantedPlan {
  const pick = chance(seed);
  const one = <T>(of: readonly T[]): T => of[pick(of.length)] as T;
  const used = new Set<string>();
  const fresh = (make: () => string): string => {
    const name = make();
    const unique = used.has(name) ? `${name}${used.size}` : name;
    used.add(unique);
    return unique;
  };
  const before = (at: number, number: number) =>
    fresh(() => {
      const [person, family] = [one(people), one(families)];
      switch (names) {
        case 'owners':
          return `${person}s-MacBook-${one(['Pro', 'Air'])}-${number}`;
        case 'logins':
          return `${departments[at]}-${person[0]}${family}${number % 97}`;
        case 'rooms':
          return `R${pick(9)}.${100 + pick(80)}-PC${pick(40)}`;
        case 'assets':
          return `A${1_000_000 + pick(8_999_999)}`;
        case 'two schemes':
          return pick(2) === 0 ? `PC-${number}` : `${person}.${family}.${number}`;
      }
    });
  const after = (at: number, number: number) => {
    const [code, digits] = [departments[at] ?? '', String(number).padStart(5, '0')];
    switch (names) {
      case 'owners':
        return `hq-${code.toLowerCase()}-mac-${digits}`;
      case 'logins':
        return `HQ${code}${digits}`;
      case 'rooms':
        return `${code}.${digits}.hq.example`;
      case 'assets':
        return `${code}_${one(people)}_${one(families)}_${digits}`;
      case 'two schemes':
        return `HQ-${code}-${digits}`;
    }
  };
  const usual = (number: number, at = pick(departments.length)): Pair => [
    { name: before(at, number), group: 10 + at, online: pick(4) > 0 },
    {
      ...(change === 'groups' ? {} : { name: after(at, number) }),
      ...(change === 'names' ? {} : { group: { id: 30 + at } }),
    },
  ];
  const deletion = (host: Omit<GivenHost, 'id'>): Pair => [host, { ensure: 'absent' }];
  const old = (number: number) => deletion({ name: `zz-old${number}`, group: disposed, ...gone });
  const changes = Array.from({ length: size }, (_, at) => (pick(25) === 0 ? old(at + 1) : usual(at + 1)));

  let number = size + 100;
  const next = () => (number += 3);
  const odd = (edit: (entry: Pair[1], at: number) => Pair[1]) => (): readonly Pair[] => {
    const at = pick(departments.length);
    const [host, entry] = usual(next(), at);
    return [[host, edit(entry, at)]];
  };
  const renamed = (edit: (name: string) => string) =>
    odd((entry) => ({ ...entry, name: edit(entry.name ?? '') }));
  const swapped = (): readonly Pair[] => {
    const [[a, toA], [b, toB]] = [usual(next(), 0), usual(next(), 0)];
    return [
      [a, { ...toA, name: b.name ?? '' }],
      [b, { ...toB, name: a.name ?? '' }],
    ];
  };
  const always: readonly Mistake[] = [
    [
      'a host in use is deleted',
      () => [deletion({ name: `zz-old${next()}`, group: disposed, online: true })],
    ],
    [
      'a host that was in use lately is deleted',
      () => [
        deletion({
          name: `zz-old${next()}`,
          group: disposed,
          ...gone,
          stateChangedAt: '2026-11-15T00:00:00Z',
        }),
      ],
    ],
    ['a server is deleted', () => [deletion({ name: 'erp-db', group: servers, ...gone })]],
    ['a computer of a department is deleted', () => [deletion({ ...usual(next())[0], ...gone })]],
  ];
  const ofGroups: readonly Mistake[] = [
    ['a server moves', () => [[{ name: 'mail-relay', group: servers }, { group: { id: 31 } }]]],
    [
      'a host moves to another department',
      odd((entry, at) => ({ ...entry, group: { id: 30 + ((at + 2) % 5) } })),
    ],
    ['a host moves to no group', odd((entry) => ({ ...entry, group: null }))],
    ['a host moves to the meeting rooms', odd((entry) => ({ ...entry, group: { id: meetingRooms } }))],
  ];
  const ofNames: readonly Mistake[] = [
    ['a name has a Greek letter', renamed((name) => name.replace(/[a-z]/i, '\u0391'))],
    ['a name ends with a blank', renamed((name) => `${name} `)],
    ['a name has a letter for a digit', renamed((name) => name.replace(/0(?=\d)/, 'O'))],
    ['a computer gets the name of a server', renamed(() => 'backup-master')],
    [
      'a name has the code of another department',
      odd((entry, at) => ({ ...entry, name: after((at + 1) % 5, next()) })),
    ],
    ['two hosts swap their names', swapped],
  ];
  const ofBoth: readonly Mistake[] = [
    ['a new name was forgotten', odd((_, at) => ({ group: { id: 30 + at } }))],
    ['a move was forgotten', odd(({ name = '' }) => ({ name }))],
  ];
  const mistakes = [
    ...always,
    ...(change === 'names' ? [] : ofGroups),
    ...(change === 'groups' ? [] : ofNames),
    ...(change === 'both' ? ofBoth : []),
  ];
  const planted = Array.from({ length: Math.min(10, mistakes.length) }, (_, at) => {
    const [kind, make] = mistakes[(seed * 3 + at) % mistakes.length] as Mistake;
    return { kind, hosts: make() };
  });
  return plantedPlan({ usual: changes, mistakes: planted, groups, pick });
}
