import type { GivenHost } from '../../given/fleet.ts';
import { chance, type Pair, type PlantedPlan, plantedPlan } from './planted-plan.ts';

/** How names look before and after. */
export type NameScheme = 'serials' | 'umlauts' | 'cities' | 'codes' | 'factory' | 'rooms' | 'vendors';

export interface RelocatedFleet {
  readonly size: number;
  readonly scheme: NameScheme;
  /** What happens to the hosts of each site: everything, only new names, or only new groups. */
  readonly change: 'both' | 'names' | 'groups';
  /** The same seed gives the same fleet. */
  readonly seed: number;
}

interface Site {
  readonly city: string;
  readonly code: string;
  readonly before: number;
  readonly after: number;
}

const cities = [
  ['Köln', 'KOE'],
  ['München', 'MUC'],
  ['Düsseldorf', 'DUS'],
  ['Zürich', 'ZRH'],
  ['Hamburg', 'HAM'],
  ['Leipzig', 'LEJ'],
  ['Wien', 'VIE'],
  ['Łódź', 'LCJ'],
] as const;
const sites: readonly Site[] = cities.map(([city, code], at) => ({
  city,
  code,
  before: 100 + at,
  after: 200 + at,
}));
const [servers, retired, attic] = [300, 301, 302];
const groups: Readonly<Record<string, string>> = {
  [servers]: 'Rechenzentrum',
  [retired]: 'Ausgemustert',
  [attic]: 'Lager',
  ...Object.fromEntries(
    sites.flatMap(({ city, before, after }) => [
      [before, `${city} alt`],
      [after, `${city} Büro`],
    ]),
  ),
};
const rooms = ['Empfang', 'Lager', 'Kasse', 'Labor', 'Büro', 'Pforte'];
const vendors = ['DELL', 'HP', 'LENOVO', 'ASUS'];
const longAgo = '2023-11-30T12:00:00Z';
const lately = '2026-11-12T08:00:00Z';

const pad = (number: number, length: number) => String(number).padStart(length, '0');

function text(pick: (below: number) => number, characters: string, length: number): string {
  return Array.from({ length }, () => characters[pick(characters.length)]).join('');
}

/** The old and the new name of a host. The number may be kept, or be new. */
function namesOf(scheme: NameScheme, pick: (below: number) => number) {
  const used = new Set<string>();
  const fresh = (make: () => string): string => {
    const name = make();
    return used.has(name.toLowerCase()) ? fresh(make) : (used.add(name.toLowerCase()), name);
  };
  const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
  return {
    before({ city, code }: Site, number: number): string {
      switch (scheme) {
        case 'serials':
          return fresh(
            () =>
              `${pick(10)}${text(pick, upper, 2)}${pad(pick(10_000), 4)}${text(pick, `${upper}0123456789`, 3)}`,
          );
        case 'umlauts':
          return `Büro-${city}-${pad(number, 5)}`;
        case 'cities':
          return `${city} Notebook ${number}`;
        case 'codes':
          return `${code.toLowerCase()}nb${pad(number, 5)}`;
        case 'factory':
          return fresh(() => `WIN-${text(pick, '0123456789ABCDEF', 11)}`);
        // Each kind of name is at every site.
        case 'rooms':
          return `${rooms[pick(rooms.length)]} ${number}`;
        case 'vendors':
          return fresh(() => `${vendors[pick(vendors.length)]}-${text(pick, `${upper}0123456789`, 6)}`);
      }
    },
    after({ city, code }: Site, number: number): string {
      switch (scheme) {
        case 'serials':
        case 'factory':
        case 'vendors':
          return `${code}-NB-${pad(number, 5)}`;
        case 'rooms':
          return `${code}_${pad(number, 6)}`;
        case 'umlauts':
          return `PC ${city.toUpperCase()} ${pad(number, 5)}`;
        case 'cities':
          return `${code.toLowerCase()}-nb-${pad(number, 5)}`;
        case 'codes':
          return `${code.toLowerCase()}2nb${pad(number, 5)}`;
      }
    },
  };
}

/** Sites move to new buildings, and old hosts are deleted. Ten of the changes are mistakes. */
export function relocatedFleet({ size, scheme, change, seed }: RelocatedFleet): PlantedPlan {
  const pick = chance(seed);
  const names = namesOf(scheme, pick);
  const withNames = change !== 'groups';
  const withGroups = change !== 'names';
  const siteOf = () => sites[pick(sites.length)] as Site;
  const usual = (number: number, site = siteOf()): Pair => [
    { name: names.before(site, number), group: site.before, online: pick(5) > 0 },
    {
      ...(withNames ? { name: names.after(site, number) } : {}),
      ...(withGroups ? { group: { id: site.after } } : {}),
    },
  ];
  const old = (number: number): Pair => [
    { name: `Alt-${pad(number, 5)}`, group: retired, online: false, stateChangedAt: longAgo },
    { ensure: 'absent' },
  ];
  const changes = Array.from({ length: size }, (_, index) =>
    pick(20) === 0 ? old(index + 1) : usual(index + 1),
  );
  const mistakes = plant({ scheme, withNames, withGroups, names, usual, siteOf, pick, size, seed });
  return plantedPlan({ usual: changes, mistakes, groups, pick });
}

interface Planter {
  readonly scheme: NameScheme;
  readonly withNames: boolean;
  readonly withGroups: boolean;
  readonly names: ReturnType<typeof namesOf>;
  usual(number: number, site?: Site): Pair;
  siteOf(): Site;
  pick(below: number): number;
  readonly size: number;
  readonly seed: number;
}

/** Each kind of mistake in one of its forms. */
function plant(given: Planter): readonly { readonly kind: string; readonly hosts: readonly Pair[] }[] {
  const { scheme, withNames, withGroups, names, usual, siteOf, pick, size, seed } = given;
  let number = size + 10;
  const next = () => (number += 7);
  const one = <T>(...forms: readonly T[]): T => forms[pick(forms.length)] as T;
  const renamed = (change: (name: string, site: Site) => string, site = siteOf()): Pair => {
    const [host, entry] = usual(next(), site);
    return [host, { ...entry, name: change(entry.name ?? '', site) }];
  };
  const other = (site: Site) =>
    sites[(sites.indexOf(site) + 1 + pick(sites.length - 1)) % sites.length] as Site;
  const deletion = (host: Omit<GivenHost, 'id'>): Pair => [host, { ensure: 'absent' }];
  const gone = { online: false, stateChangedAt: longAgo };
  const keepsNumber = ['umlauts', 'codes', 'rooms'].includes(scheme);
  const mistakes: [string, () => readonly Pair[]][] = [
    [
      'a host in use is deleted',
      () => [deletion({ name: `Alt-${pad(next(), 5)}`, group: retired, online: true })],
    ],
    [
      'a host that was in use lately is deleted',
      () => [
        deletion({ name: `Alt-${pad(next(), 5)}`, group: retired, online: false, stateChangedAt: lately }),
      ],
    ],
    [
      'a server is deleted',
      () => [
        one(
          deletion({ name: 'DC02', group: servers, ...gone }),
          deletion({ name: 'Exchange-2019', group: retired, ...gone }),
          deletion({ name: 'srv-file-01', group: siteOf().before, ...gone }),
        ),
      ],
    ],
  ];
  if (withGroups)
    mistakes.push(
      [
        'a server moves to an office',
        () => [
          one<Pair>(
            [{ name: 'SQL-PROD-01', group: servers }, { group: { id: siteOf().after } }],
            [{ name: 'srv-print-07', group: servers }, { group: null }],
            [{ name: 'NAS 3', group: servers }, { group: { id: attic } }],
          ),
        ],
      ],
      [
        'a host moves to another site',
        () => {
          const site = siteOf();
          const [host, entry] = usual(next(), site);
          return [[host, { ...entry, group: { id: one(other(site).after, attic) } }]];
        },
      ],
      [
        'a host moves to no group',
        () => {
          const [host, entry] = usual(next());
          return [[host, { ...entry, group: null }]];
        },
      ],
      [
        'a server of an office moves along',
        () => {
          const site = siteOf();
          return [
            [
              { name: one('FS-KANZLEI', 'usv.keller', 'ESX 11'), group: site.before },
              { group: { id: site.after } },
            ],
          ];
        },
      ],
    );
  if (withNames)
    mistakes.push(
      [
        'a name has the code of another site',
        () => {
          const site = siteOf();
          return [renamed(() => names.after(other(site), next()), site)];
        },
      ],
      [
        'a name has a letter of another alphabet',
        () => {
          const site = sites[3] as Site;
          return [renamed((name) => name.replace(/[Hh]/, (letter) => (letter === 'H' ? 'Н' : 'һ')), site)];
        },
      ],
      ['a name has a letter for a digit', () => [renamed((name) => name.replace(/0(?=\d+$)/, 'O'))]],
      [
        'a name has another form',
        () => [
          renamed((name) =>
            one(
              `${name} `,
              ` ${name}`,
              `${name}\u00a0`,
              name.replace(/.(?=\d+$)/, '__'),
              name.replace(/(?=\d+$)/, '\u200b'),
              name.replace(/\d$/, '\uff17'),
            ),
          ),
        ],
      ],
      [
        'a name lost digits',
        () => [renamed((name) => name.replace(/\d+$/, (digits) => String(Number(digits) % 100)))],
      ],
      [
        'a computer gets the name of a server',
        () => [renamed(() => one('SRV-APP-09', 'DC03', 'SQL-TEST-04'))],
      ],
      [
        'a server is renamed like a computer',
        () => {
          const site = siteOf();
          const [, entry] = usual(next(), site);
          return [[{ name: one('SAP-ROUTER', 'Telefonanlage', 'DC05'), group: site.before }, entry]];
        },
      ],
      [
        'two hosts swap their names',
        () => {
          const site = siteOf();
          const [a, b] = [names.before(site, next()), names.before(site, next())];
          const to = withGroups ? { group: { id: site.after } } : {};
          return [
            [
              { name: a, group: site.before },
              { name: b, ...to },
            ],
            [
              { name: b, group: site.before },
              { name: a, ...to },
            ],
          ];
        },
      ],
      [
        'a site has another spelling',
        () => {
          const site = sites[scheme === 'umlauts' ? 0 : pick(sites.length)] as Site;
          const wrong = (name: string) =>
            scheme === 'umlauts'
              ? name.replace('KÖLN', one('KOLN', 'KÖLN'.normalize('NFD'), 'KÖNL'))
              : name.replace(new RegExp(site.code, 'i'), (code) => `${code[1]}${code[0]}${code[2]}`);
          return [renamed(wrong, site)];
        },
      ],
    );
  if (withNames && keepsNumber)
    mistakes.push([
      'a number changes',
      () => [
        renamed((name) =>
          name.replace(/(\d)(\d)$/, (_, a: string, b: string) => `${b}${(Number(a) + 1) % 10}`),
        ),
      ],
    ]);
  if (withNames && withGroups)
    mistakes.push(
      [
        'a new name was forgotten',
        () => {
          const site = siteOf();
          return [[usual(next(), site)[0], { group: { id: site.after } }]];
        },
      ],
      [
        'a move was forgotten',
        () => {
          const [host, entry] = usual(next());
          return [[host, entry.name === undefined ? {} : { name: entry.name }]];
        },
      ],
    );
  return Array.from({ length: Math.min(10, mistakes.length) }, (_, index) => {
    const [kind, make] = mistakes[(seed * 3 + index) % mistakes.length] as (typeof mistakes)[number];
    return { kind, hosts: make() };
  });
}
