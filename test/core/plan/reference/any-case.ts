import fc from 'fast-check';
import { ignoredAttributes, protectedFrom } from '../../../../src/core/model/entry.ts';
import type { HostId } from '../../../../src/core/model/observed.ts';
import { changeKinds } from '../../../../src/core/model/policy.ts';
import { temporaryName } from '../../../../src/core/model/temporary-name.ts';
import type { GroupGiven, PlanningCase } from './planning-case.ts';

// Few names, so that hosts, entries, rules and rows conflict.
const plain = fc.constantFrom(
  'PC-1',
  'pc-1',
  'PC-2',
  'PC-3',
  'Berlin',
  'Brelin',
  'Berlin-1',
  'LAB',
  'K',
  'Köln',
);
const id = fc.constantFrom('1', '2', '3', '12', '9007199254740993', '-7');
const group: fc.Arbitrary<GroupGiven> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Berlin', 'Munich') },
  { weight: 1, arbitrary: fc.constantFrom('Lab', 'Attic', null, { id: '10' }, { id: '99' }) },
);

/** Present in one of this many cases. */
function seldom<T>(arbitrary: fc.Arbitrary<T>, many: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: many - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A record without its undefined values. */
function object<T>(parts: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Defined<T>> {
  return fc
    .record(parts)
    .map(
      (all) =>
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Defined<T>,
    );
}

const free = { taken: { has: () => false } };

const host = fc
  .record({
    id,
    name: fc.oneof({ weight: 9, arbitrary: plain }, { weight: 1, arbitrary: fc.constant(null) }),
    temporary: seldom(fc.constantFrom('rename', 'deletion', 'lookalike'), 10),
    group: fc.constantFrom('-1', '10', '10', '11', '12'),
    online: fc.boolean(),
    stateChangedAt: fc.constantFrom('2026-11-20T09:00:00Z', '2026-08-01T00:00:00Z', undefined),
    antivirus: fc.constantFrom('installed', 'missing', 'missing', 'unsupported', undefined),
  })
  .map(({ temporary, antivirus, stateChangedAt, ...rest }) => ({
    ...rest,
    ...(stateChangedAt === undefined ? {} : { stateChangedAt }),
    name:
      temporary === undefined || rest.name === null
        ? rest.name
        : temporaryNameOf(rest.id, rest.name, temporary),
    ...(antivirus === undefined ? {} : { antivirus }),
  }));

function temporaryNameOf(of: string, name: string, kind: 'rename' | 'deletion' | 'lookalike'): string {
  return kind === 'lookalike' ? `${name} ~rampart~abcdef` : temporaryName(kind, of as HostId, name, free);
}

const hosts = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.uniqueArray(host, {
      comparator: (a, b) => a.id === b.id || a.name === b.name,
      maxLength: 6,
      size: 'max',
    }),
  },
  { weight: 1, arbitrary: fc.uniqueArray(host, { selector: (each) => each.id, maxLength: 6, size: 'max' }) },
);

const entry = object({
  id: fc.oneof({ weight: 3, arbitrary: id }, { weight: 1, arbitrary: fc.constant(undefined) }),
  name: fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: fc.constant(undefined) }),
  current: seldom(plain, 10),
  previously: seldom(fc.array(plain, { maxLength: 2 }), 5),
  group: seldom(group, 3),
  antivirus: seldom(fc.constant(true), 5),
  ensure: seldom(fc.constant('absent' as const), 4),
  deleteAfter: seldom(fc.constantFrom('2026-11-20T00:00:00Z', '2026-12-20T00:00:00Z'), 10),
  protect: seldom(fc.subarray([...protectedFrom]), 8),
  ignore: seldom(fc.subarray([...ignoredAttributes]), 8),
}).map((each) => (each.id === undefined ? { ...each, name: each.name ?? 'PC-1' } : each));

const entries = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 8,
    arbitrary: fc.uniqueArray(entry, {
      comparator: (a, b) =>
        (a.id !== undefined && a.id === b.id) || (a.name !== undefined && a.name === b.name),
      maxLength: 6,
      size: 'max',
    }),
  },
  { weight: 1, arbitrary: fc.array(entry, { maxLength: 6, size: 'max' }) },
);

const factNames = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('host.name', 'host.name', 'host.name', 'host.group') },
  { weight: 1, arbitrary: fc.constantFrom('asset.tag', 'asset.site') },
);
const word = fc
  .oneof(plain, fc.constantFrom('', 'Munich', 'X', 'PC', 'PC-'))
  .map((each) => JSON.stringify(each));

/** Expressions over hosts, and over the other data of these tests. A fragile one fails for names of one length. */
function anyTest(more: readonly string[]): fc.Arbitrary<string> {
  return fc.letrec<{ readonly tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.tuple(factNames, word).map(([fact, text]) => `${fact} == ${text}`),
      fc.tuple(factNames, word).map(([fact, text]) => `${fact}.startsWith(${text})`),
      fc.constantFrom('host.online', 'host.antivirus.installed', ...more),
      factNames.map((fact) => `has(${fact})`),
      fc.constantFrom(1, 90).map((days) => `age(host.stateChangedAt) > duration("${days}d")`),
      fc.constantFrom(3, 4, 9).map((length) => `1 / (host.name.size() - ${length}) == 0`),
      fc.constantFrom('host.name', 'asset.tag', 'host.group').map((fact) => `twins(${fact}) > 0`),
      tie('tree').map((each) => `!(${each})`),
      fc
        .tuple(tie('tree'), fc.constantFrom('&&', '||'), tie('tree'))
        .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    ),
  })).tree;
}

const part = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('PC-', 'X', '1', '2', ' ', 'LAB') },
  { weight: 3, arbitrary: fc.oneof(factNames, fc.constant('asset.tag')).map((fact) => `\${${fact}}`) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ~rampart~abcdef', '~') },
);

const rule = object({
  when: anyTest([]),
  rename: seldom(
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    3,
  ),
  group: seldom(group, 3),
  antivirus: seldom(fc.constant(true as const), 4),
  ensure: seldom(fc.constantFrom('present' as const, 'absent' as const), 4),
}).map((each) => (Object.keys(each).length > 1 ? each : { ...each, group: 'Berlin' }));

const cell = fc.option(fc.constantFrom('A1', 'B2', 'PC-1', 'PC-9'), { nil: undefined, freq: 5 });
const row = object({
  key: fc.oneof(plain, id, fc.constantFrom('n/a', '0', ' pc-3 ', undefined)),
  tag: cell,
  site: cell,
});

const limit = fc.oneof(
  fc.record({ kind: fc.constant('count' as const), count: fc.nat(3) }),
  fc.record({ kind: fc.constant('share' as const), percent: fc.constantFrom(0, 30, 100) }),
);

/** Absent in most cases, of one or two in others. */
function few<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> {
  return seldom(fc.array(arbitrary, { minLength: 1, maxLength: 2 }), 4).map((each) => each ?? []);
}

const limits = (kinds: number) =>
  object({
    rename: seldom(limit, kinds),
    move: seldom(limit, kinds),
    delete: seldom(limit, 3),
    antivirus: seldom(limit, kinds),
  });
const judge = anyTest(['change.kind == "rename"', 'change.kind == "delete"', 'change.to.startsWith("PC")']);
const time = seldom(
  fc.constantFrom('2026-11-20T00:00:00Z', '2026-11-21T09:00:00Z', '2026-12-01T00:00:00Z'),
  2,
);
const unmanaged = seldom(fc.constantFrom('ignore', 'report', 'forbid'), 4);

const policy = object<PlanningCase['policy']>({
  protect: few(fc.record({ when: judge, from: fc.subarray([...protectedFrom], { minLength: 1 }) })),
  changes: few(fc.record({ when: judge, effect: fc.constantFrom('deny', 'warn') })),
  windows: few(
    object({
      only: fc.subarray(['Mon-Fri 20:00-06:00 UTC', 'Sat 09:00-10:00 UTC', 'Fri 22:00-09:00 UTC'], {
        minLength: 1,
      }),
      kinds: seldom(fc.subarray([...changeKinds], { minLength: 1 }), 2),
    }),
  ),
  freezes: few(object({ from: time, until: time })),
  groups: few(
    object<PlanningCase['policy']['groups'][number]>({
      group,
      unmanaged,
      exclusive: fc.boolean(),
      othersTo: seldom(group, 2),
      limits: limits(4),
    }),
  ),
  unmanaged,
});

const request = object({
  id,
  state: fc.constantFrom('accepted', 'in-doubt'),
  refreshed: seldom(fc.constantFrom(1, 2, 3), 2),
});

const flag = seldom(fc.constant(true), 4).map((each) => each ?? false);

const parts: fc.Arbitrary<PlanningCase> = object({
  hosts,
  groups: fc.constant({ 10: 'Berlin', 11: 'Munich', 12: 'Lab', 13: 'Lab' }),
  entries,
  rules: fc.array(rule, { maxLength: 4 }),
  table: seldom(
    fc.record({ join: fc.constantFrom('name', 'name', 'id'), rows: fc.array(row, { maxLength: 5 }) }),
    2,
  ),
  requests: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.uniqueArray(request, { selector: (each) => each.id, maxLength: 4 }) },
  ),
  policy,
  limits: limits(8),
  acks: object({ rename: seldom(fc.nat(3), 20), delete: seldom(fc.nat(2), 12) }),
  deleteFirst: flag,
  skipBlocked: flag,
  strict: flag,
  batchSize: fc.constantFrom(1000, 1, 2),
  target: seldom(fc.uniqueArray(id, { maxLength: 3 }), 8),
  exclude: seldom(fc.uniqueArray(id, { maxLength: 2 }), 8),
});

/** Small fleets, and desired states with arbitrary requests for them. */
export const anyCase: fc.Arbitrary<PlanningCase> = fc
  .record({ given: parts, turn: seldom(fc.integer({ min: 1, max: 5 }), 4) })
  .map(({ given, turn }) => (turn === undefined ? given : { ...given, entries: turned(given, turn) }));

/** Entries with which most hosts get the name of another one. */
function turned({ hosts: all, entries: others }: PlanningCase, by: number): PlanningCase['entries'] {
  return all.flatMap(({ id: of }, index) => {
    const { name } = all[(index + by) % all.length] ?? {};
    const other = others.find((each) => each.id === of);
    return other ?? (typeof name === 'string' ? { id: of, name } : []);
  });
}
