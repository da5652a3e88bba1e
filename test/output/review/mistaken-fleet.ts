import type { Plan } from '../../../src/core/plan/types/plan.ts';
import type { GivenEntry } from '../../given/desired.ts';
import type { GivenHost } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

export interface MistakenFleet {
  readonly size: number;
  /** How a factory, or someone before, has named the hosts. */
  readonly names: 'numbers' | 'hexadecimal' | 'letters and digits';
  /** Desktops become kiosks, get the names of their sites, or only move to other groups. */
  readonly program: 'kiosks' | 'sites' | 'moves';
  /** One of this many hosts is retired. */
  readonly retired: number;
  /** The first of the mistakes to be planted. */
  readonly first: number;
}

const sites = ['BER', 'MUC', 'VIE', 'LIS', 'OPO', 'ZRH'];
const desktops = (site: number) => 10 + site;
const laptops = (site: number) => 30 + site;
const groups: Readonly<Record<string, string>> = {
  90: 'Servers',
  91: 'Domain controllers',
  92: 'Retired',
  93: 'Kiosks',
  94: 'Attic',
  ...Object.fromEntries(
    sites.flatMap((name, site) => [
      [desktops(site), `${name} desktops`],
      [laptops(site), `${name} laptops`],
    ]),
  ),
};
const longAgo = '2024-02-01T00:00:00Z';
const lately = '2026-11-19T00:00:00Z';
const mostMistakes = 10;

type Pair = readonly [Omit<GivenHost, 'id'>, Omit<GivenEntry, 'id'>];

/** A reorganization with ten mistakes, and the ids of the hosts that they are about. */
export function mistakenFleet(given: MistakenFleet): {
  readonly plan: Plan;
  readonly mistakes: readonly string[];
} {
  const pairs = Array.from({ length: given.size }, (_, index) => usualPair(given, index + 1));
  const all = mistakesOf(given);
  const planted = Array.from(
    { length: mostMistakes },
    (_, index) => all[(given.first + index) % all.length] as Pair,
  );
  const step = Math.floor(given.size / mostMistakes);
  for (const [index, pair] of planted.entries()) pairs.splice(index * step + 3, 0, pair);
  const idOf = (pair: Pair) => 1000 + pairs.indexOf(pair);
  return {
    plan: givenPlan({
      hosts: pairs.map((pair) => ({ ...pair[0], id: idOf(pair) })),
      entries: pairs.map((pair) => ({ ...pair[1], id: idOf(pair) })),
      groups,
    }),
    mistakes: planted.map((pair) => String(idOf(pair))),
  };
}

function usualPair({ names, program, retired }: MistakenFleet, number: number): Pair {
  if (number % retired === 0)
    return [
      { name: `OLD-${digits(number)}`, group: 92, online: false, stateChangedAt: longAgo },
      { ensure: 'absent' },
    ];
  const site = (number * 7) % sites.length;
  const name = `DESKTOP-${names === 'numbers' ? digits(number) : factorySuffix(number, names === 'hexadecimal' ? 16 : 36)}`;
  const host = { name, group: desktops(site) };
  switch (program) {
    case 'kiosks':
      return [host, { name: `KIOSK-${digits(number)}`, group: { id: 93 } }];
    case 'sites':
      return [host, { name: `${sites[site]}-LT-${digits(number)}`, group: { id: laptops(site) } }];
    case 'moves':
      return [host, { group: { id: laptops(site) } }];
  }
}

function mistakesOf({ names, program }: MistakenFleet): readonly Pair[] {
  const wrong = program === 'kiosks' ? 93 : laptops(0);
  const to = { group: { id: wrong } };
  const named = (text: string) => ({
    name: program === 'kiosks' ? `KIOSK-${text}` : `BER-LT-${text}`,
    ...to,
  });
  const berlin = (name: string) => ({ name, group: desktops(0) });
  const always: readonly Pair[] = [
    [{ name: 'DC-BER-01', group: 91, online: false, stateChangedAt: longAgo }, { ensure: 'absent' }],
    [{ name: 'OLD-77777', group: 92, online: true }, { ensure: 'absent' }],
    [{ name: 'OLD-66666', group: 92, online: false, stateChangedAt: lately }, { ensure: 'absent' }],
    [{ name: 'DC-BER-07', group: 92, online: false, stateChangedAt: longAgo }, { ensure: 'absent' }],
    [{ name: 'SRV-SQL-02', group: 90 }, to],
    [{ name: 'SRV-DB-03', group: 90 }, { group: null }],
    [berlin('DESKTOP-90001'), { group: { id: 94 } }],
  ];
  const moved: readonly Pair[] = [
    [berlin('NAS-80001'), to],
    [{ name: 'SRV-WEB-9', group: desktops(1) }, { group: { id: laptops(1) } }],
    [{ name: 'DESKTOP-80031', group: desktops(1) }, to],
  ];
  if (program === 'moves') return [...always, ...moved];
  return [
    ...always,
    [berlin('NAS-80001'), named('80001')],
    [berlin('DESKTOP-80002'), named('8000\u0412')],
    [berlin('DESKTOP-80003'), named('O8003')],
    [berlin('DESKTOP-80019'), { name: named('80019').name }],
    [berlin('DESKTOP-80020'), to],
    [berlin('DESKTOP-80022'), named('80022 ')],
    [berlin('DESKTOP-80023'), { name: 'SRV-80023', ...to }],
    ...(names === 'numbers'
      ? ([
          [berlin('DESKTOP-70123'), named('70132')],
          [berlin('DESKTOP-00718'), named('718')],
        ] as const)
      : []),
    ...(program === 'sites' ? ([[berlin('DESKTOP-80030'), { name: 'MUC-LT-80030', ...to }]] as const) : []),
  ];
}

function digits(number: number): string {
  return String(number).padStart(5, '0');
}

/** Six characters that look random, another one for each number. */
function factorySuffix(number: number, base: number): string {
  const scattered = (BigInt(number) * 2_654_435_761n) % BigInt(base) ** 6n;
  return scattered.toString(base).padStart(6, '0').toUpperCase();
}
