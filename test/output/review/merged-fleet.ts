import type { GivenHost } from '../../given/fleet.ts';
import { chance, type Pair, type PlantedPlan, plantedPlan } from './planted-plan.ts';

/** How hosts are named before and after. */
export const mergedNames = {
  'two companies': {
    before: ({ place, number, digits, isOurs }) =>
      isOurs ? `acme-ws-${digits}` : `NW${number}-${place.english}`,
    after: ({ place, digits }) => `${place.code}-ws-${digits}`,
  },
  floors: {
    before: ({ floor, number }) => `${floor}OG-Zimmer${number % 40}-PC${number}`,
    after: ({ place, floor, number }) => `${place.code}.f${floor}.d${number}`,
  },
  'serial suffixes': {
    before: ({ serial }) => `LAPTOP-${serial}`,
    after: ({ place, serial }) => `${place.code.toUpperCase()}-${serial}`,
  },
  lowercase: {
    before: ({ digits, place }) => `${place.code}ws${digits}`,
    after: ({ digits, place }) => `k${place.code}nb${digits}`,
  },
  'vendor prefixes': {
    before: ({ vendor, serial }) => `${vendor}-${serial}`,
    after: ({ vendor, place, serial }) => `${place.english}-${vendor.slice(0, 2)}-${serial}`,
  },
  umlauts: {
    before: ({ place, number, room }) => `${place.city} ${room} ${number}`,
    after: ({ place, digits, room }) => `${place.city.toUpperCase()}-${room.slice(0, 3)}-${digits}`,
  },
  cities: {
    before: ({ place, digits }) => `${place.english}${digits}`,
    after: ({ place, digits }) => `pc-${digits}.${place.english.toLowerCase()}.example`,
  },
  'new numbers': {
    before: ({ place, serial }) => `${place.english}-${serial}`,
    after: ({ place, rank }) => `${place.code}${String(rank).padStart(4, '0')}`,
  },
  'roles and owners': {
    before: ({ person, role, number }) => `${person}-${role}-${number}`,
    after: ({ place, role, number }) => `${role}-${place.code}-${number}`,
  },
  serials: {
    before: ({ serial }) => serial,
    after: ({ place, digits }) => `${place.code.toUpperCase()}-NB-${digits}`,
  },
  'cities and numbers': {
    before: ({ place, digits }) => `Büro-${place.city}-${digits}`,
    after: ({ place, digits }) => `PC ${place.city.toUpperCase()} ${digits}`,
  },
  factory: {
    before: ({ hex }) => `WIN-${hex}`,
    after: ({ place, number }) => `${place.city} Notebook ${number}`,
  },
  rooms: {
    before: ({ room, number }) => `${room} ${number}`,
    after: ({ place, digits }) => `${place.code.toUpperCase()}_0${digits}`,
  },
  owners: {
    before: ({ person, number }) => `${person}s-MacBook-${number % 2 ? 'Pro' : 'Air'}-${number}`,
    after: ({ place, digits }) => `hq-${place.code}-mac-${digits}`,
  },
  logins: {
    before: ({ place, person, family, number }) => `${place.code}-${person[0]}${family}${number % 97}`,
    after: ({ place, digits }) => `HQ${place.code.toUpperCase()}${digits}`,
  },
  'numbers of rooms': {
    before: ({ floor, number }) => `R${floor}.${100 + (number % 80)}-PC${number}`,
    after: ({ place, digits }) => `${place.code}.${digits}.hq.example`,
  },
  assets: {
    before: ({ number }) => `A${1_000_000 + number * 7_919}`,
    after: ({ place, person, family, digits }) => `${place.code}_${person}_${family}_${digits}`,
  },
  'two schemes': {
    before: ({ person, family, number }) =>
      number % 2 === 0 ? `PC-${number}` : `${person}.${family}.${number}`,
    after: ({ place, digits }) => `HQ-${place.code}-${digits}`,
  },
} satisfies Readonly<Record<string, { before(host: Traits): string; after(host: Traits): string }>>;
export type MergedNames = keyof typeof mergedNames;

/** Their new names have nothing of the old ones that could be transposed. */
const losesNumber: readonly MergedNames[] = ['new numbers', 'serials', 'factory', 'logins', 'assets'];

export interface MergedFleet {
  readonly size: number;
  readonly names: MergedNames;
  readonly change: 'both' | 'names' | 'groups';
  /** The same seed gives the same fleet. */
  readonly seed: number;
  /** One of this many hosts is to be deleted. */
  readonly deleted?: number;
}

interface Traits {
  readonly place: (typeof places)[number];
  readonly isOurs: boolean;
  readonly floor: number;
  readonly room: string;
  readonly vendor: string;
  readonly person: string;
  readonly family: string;
  readonly role: string;
  readonly serial: string;
  readonly hex: string;
  readonly number: number;
  /** The number with zeros. */
  readonly digits: string;
  /** A counter of those that have got a name. */
  readonly rank: number;
}

const places = [
  { city: 'Köln', english: 'Cologne', code: 'cgn' },
  { city: 'München', english: 'Munich', code: 'muc' },
  { city: 'Zürich', english: 'Zurich', code: 'zrh' },
  { city: 'Łódź', english: 'Lodz', code: 'lcj' },
  { city: 'Málaga', english: 'Malaga', code: 'agp' },
  { city: 'Tromsø', english: 'Tromso', code: 'tos' },
] as const;
const rooms = ['Büro', 'Küche', 'Empfang', 'Lager', 'Vertrieb'];
const vendors = ['DELL', 'HPE', 'LNV', 'FUJITSU', 'ASUS'];
const persons = 'amir bea chloé dóra emil fatima götz hana ivo jule kaan lea'.split(' ');
const families = 'meier kowalski novak silva rossi garcia dubois jensen nagy weber'.split(' ');
const roles = ['dev', 'sales', 'ops', 'legal'];
const [servers, disposed, attic] = [70, 71, 72];
const oldOffice = (at: number, isOurs: boolean) => (isOurs ? 100 : 200) + at;
const newOffice = (at: number) => 300 + at;
const groups: Readonly<Record<string, string>> = {
  [servers]: 'Server room',
  [disposed]: 'To dispose of',
  [attic]: 'Attic',
  ...Object.fromEntries(
    places.flatMap(({ city }, at) => [
      [oldOffice(at, true), `Acme ${city}`],
      [oldOffice(at, false), `Northwind ${city}`],
      [newOffice(at), city],
    ]),
  ),
};
const offline = { online: false, stateChangedAt: '2024-03-01T00:00:00Z' };
const lately = { online: false, stateChangedAt: '2026-11-16T00:00:00Z' };

/** Its kind, and how its hosts are made. */
type Mistake = readonly [string, () => readonly Pair[]];

/** Two companies merge: hosts of both get new names, move to the new offices, or both. Ten changes are mistakes. */
export function mergedFleet({ size, names, change, seed, deleted = 20 }: MergedFleet): PlantedPlan {
  const pick = chance(seed);
  const one = <T>(of: readonly T[]): T => of[pick(of.length)] as T;
  const { before, after } = mergedNames[names];
  // Their new numbers have leading zeros.
  const keepsDigits = ['serials', 'cities and numbers', 'rooms', 'owners', 'logins', 'two schemes'].includes(
    names,
  );
  let number = 0;
  let rank = 0;
  const traits = (at = pick(places.length)): Traits => {
    number += 1 + pick(3);
    rank += 1;
    const alphabet = '0123456789ABCDEFGHJKLMNPQRSTVWXYZ';
    return {
      place: places[at] as Traits['place'],
      isOurs: pick(5) > 1,
      floor: pick(7),
      room: one(rooms),
      vendor: one(vendors),
      person: one(persons),
      family: one(families),
      role: one(roles),
      serial: Array.from({ length: 7 }, () => alphabet[pick(alphabet.length)]).join(''),
      hex: Array.from({ length: 11 }, () => alphabet[pick(16)]).join(''),
      number,
      digits: String(number).padStart(5, '0'),
      rank,
    };
  };
  const usual = (of = traits(), to = of): Pair => {
    const at = places.indexOf(of.place);
    return [
      { name: before(of), group: oldOffice(at, of.isOurs), online: pick(3) > 0 },
      {
        ...(change === 'groups' ? {} : { name: after(to) }),
        ...(change === 'names' ? {} : { group: { id: newOffice(places.indexOf(to.place)) } }),
      },
    ];
  };
  const deletion = (host: Omit<GivenHost, 'id'>): Pair => [host, { ensure: 'absent' }];
  const old = () => deletion({ name: before(traits()), group: disposed, ...offline });
  const changes = Array.from({ length: size }, () => (pick(deleted) === 0 ? old() : usual()));
  const edited = (edit: (pair: Pair) => Pair): readonly Pair[] => [edit(usual())];
  const renamed = (edit: (name: string) => string) =>
    edited(([host, entry]) => [host, { ...entry, name: edit(entry.name ?? '') }]);
  const sent = (group: { readonly id: number } | null) =>
    edited(([host, entry]) => [host, { ...entry, group }]);
  const server = () => one(['srv-erp', 'DC3', 'backup.vault', 'Telefonanlage', 'FW-EXT', 'esx7']);
  const foreign = (edit: (of: Traits, to: Traits) => Pair) => {
    const of = traits();
    const at = places.indexOf(of.place) + 1 + pick(places.length - 1);
    return [edit(of, { ...of, place: places[at % places.length] as Traits['place'] })];
  };
  const always: readonly Mistake[] = [
    ['a host in use', () => [deletion({ name: before(traits()), group: disposed, online: true })]],
    [
      'a host that was in use lately',
      () => [deletion({ name: before(traits()), group: disposed, ...lately })],
    ],
    ['a server is deleted', () => [deletion({ name: server(), group: servers, ...offline })]],
    ['a computer of an office is deleted', () => [deletion({ ...usual()[0], ...offline })]],
  ];
  const ofGroups: readonly Mistake[] = [
    ['a server moves', () => [[{ name: server(), group: servers }, { group: { id: newOffice(2) } }]]],
    ['a host moves to the attic', () => sent({ id: attic })],
    ['a host moves to no group', () => sent(null)],
    [
      'another office',
      () => foreign((of, to) => [usual(of)[0], { ...usual(of)[1], group: usual(to)[1].group ?? null }]),
    ],
  ];
  const ofNames: readonly Mistake[] = [
    ['a Cyrillic letter', () => renamed((name) => name.replace(/[a-z]/i, '\u0441'))],
    ['a blank at the start', () => renamed((name) => ` ${name}`)],
    ['a blank at the end', () => renamed((name) => `${name}\u00a0`)],
    [
      'another separator',
      () => renamed((name) => (/-/.test(name) ? name.replace('-', '_') : name.replace(/(?<=^...)/, '-'))),
    ],
    ['the name of a server', () => renamed(server)],
    [
      'a server gets the name of a computer',
      () => edited(([host, entry]) => [{ ...host, name: server() }, entry]),
    ],
    [
      'the code of another office',
      () => foreign((of, to) => [usual(of)[0], { ...usual(of)[1], name: after(to) }]),
    ],
    [
      'two hosts swap names',
      () => {
        const [[a, toA], [b, toB]] = [usual(traits(0)), usual(traits(0))];
        return [
          [a, { ...toA, name: b.name ?? '' }],
          [b, { ...toB, name: a.name ?? '' }],
        ];
      },
    ],
  ];
  const transposed: Mistake = [
    'transposed characters',
    () => {
      const [of, start] = [traits(), 'K7X42'];
      const as = (end: string) => ({
        ...of,
        serial: `${start}${end}`,
        number: Number(`77${end}`),
        digits: `777${end}`,
      });
      return [usual(as('12'), as('21'))];
    },
  ];
  const ofDigits: readonly Mistake[] = [
    ['a letter for a digit', () => renamed((name) => name.replace(/0(?=\d+$)/, 'O'))],
    ['lost digits', () => renamed((name) => name.replace(/\d+$/, (all) => String(Number(all) % 100)))],
  ];
  const ofBoth: readonly Mistake[] = [
    ['a new name was forgotten', () => edited(([host, { group = null }]) => [host, { group }])],
    ['a move was forgotten', () => edited(([host, { name = '' }]) => [host, { name }])],
  ];
  const possible = [
    ...always,
    ...(change === 'names' ? [] : ofGroups),
    ...(change === 'groups'
      ? []
      : [...ofNames, ...(losesNumber.includes(names) ? [] : [transposed]), ...(keepsDigits ? ofDigits : [])]),
    ...(change === 'both' ? ofBoth : []),
  ];
  const mistakes = Array.from({ length: Math.min(10, possible.length) }, (_, at) => {
    const [kind, make] = possible[(seed * 3 + at) % possible.length] as Mistake;
    return { kind, hosts: make() };
  });
  return plantedPlan({ usual: changes, mistakes, groups, pick });
}
