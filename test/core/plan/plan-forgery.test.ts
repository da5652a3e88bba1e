import { describe, expect, it } from 'vitest';
import { fromDocument } from '../../../src/core/plan/document/document-names.ts';
import { printPlan, readPlan } from '../../../src/core/plan/document/plan-document.ts';
import { planJsonSchema } from '../../../src/core/plan/document/plan-schema.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { type BatchMember, type Step, type StepId } from '../../../src/core/plan/types/step.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { givenFleet, groupId, hostId, at as takenAt } from '../../given/fleet.ts';

/** The part of JSON Schema that the plan's schema uses. */
interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const texts = ['text', '7', 's1', 'a'.repeat(64), '2026-11-21T09:00:00.000Z'];
const others = ['other', '8', 's2', 'b'.repeat(64), '2026-11-22T09:00:00.000Z'];

/** A value with every field of the schema, and one item for each kind of item. */
function sample(schema: Schema): unknown {
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return sample(first);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, each]) => [key, sample(each)]),
      );
    case 'array':
      return (schema.items?.oneOf ?? [schema.items ?? {}]).map(sample);
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return texts.find((each) => schema.pattern === undefined || new RegExp(schema.pattern).test(each));
  }
}

/** A plan of every kind of change, with a limit that someone lifted. */
const real = makePlan({
  desired: givenDesired(
    [
      { id: 1, name: 'B', group: 'G' },
      { id: 2, name: 'A', antivirus: true },
      { id: 3, ensure: 'absent' },
      { id: 4, name: 'C' },
    ],
    { ...noLimits, delete: { kind: 'count', count: 0 } },
  ),
  observed: givenFleet(
    [
      { id: 1, name: 'A', antivirus: 'installed' },
      { id: 2, name: 'B', antivirus: 'missing' },
      { id: 3, name: 'C' },
      { id: 4, name: 'D' },
    ],
    { 17: 'G' },
  ),
  account: { companyId: '42', service: 'https://service.example' },
  now: takenAt,
  acks: { delete: 1 },
});

const {
  checksum: _checksum,
  digest: _digest,
  ...members
} = sample(planJsonSchema()) as Plan & {
  readonly checksum: string;
  readonly digest: string;
};
const sampled = fromDocument(members) as Plan;
const { steps, summary, calls, undo, limits, breaches, acks, batchSize, deleteFirst } = real;
/** What the steps determine, and a sample of all other members. */
const plan: Plan = {
  ...sampled,
  formatVersion: real.formatVersion,
  steps,
  calls,
  undo,
  limits,
  breaches,
  acks,
  batchSize,
  deleteFirst,
  problems: sampled.problems.map((each) => ({ ...each, severity: 'warning' })),
  applicable: true,
  summary: { ...summary, installsInProgress: 1 },
  pendingInstalls: sampled.pendingInstalls.map((each) => ({ ...each, state: 'in-progress' })),
};
const text = printPlan(plan);
const document = JSON.parse(text) as object;

type Path = readonly string[];

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) yield* pathsIn(part, [...path, key]);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);
}

/** The document with something else at this place. */
function forged(path: Path, change: (holder: Record<string, unknown>, key: string) => void): string {
  const copy = structuredClone(document);
  change(at(copy, path.slice(0, -1)) as Record<string, unknown>, path.at(-1) ?? '');
  return JSON.stringify(copy);
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return others[texts.indexOf(value)] ?? `${value} `;
  return Array.isArray(value)
    ? [...value, ...(value.length === 0 ? ['s1'] : (value as readonly unknown[]))]
    : { ...(value as object), added: 1 };
}

const paths = [...pathsIn(document)];
const decided = paths.filter(([first]) => first !== 'forecast');

describe('a plan file', () => {
  it('with every field of the schema is read as it was written', () => {
    expect(readPlan(text, 'plan.json')).toEqual({ ok: true, value: plan, problems: [] });
    expect(Object.keys(document).toSorted()).toEqual(
      Object.keys((planJsonSchema() as Schema).properties ?? {}).toSorted(),
    );
    expect(decided.length).toBeGreaterThan(200);
  });

  it('is refused if any field is changed, removed or added, except for the forecast', () => {
    const passed = (change: (holder: Record<string, unknown>, key: string) => void) =>
      decided.filter((path) => readPlan(forged(path, change), 'plan.json').ok).map((path) => path.join('.'));
    expect(passed((holder, key) => (holder[key] = changed(holder[key])))).toEqual([]);
    expect(
      passed((holder, key) => (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key])),
    ).toEqual([]);
    expect(readPlan(JSON.stringify({ ...document, later: 1 }), 'plan.json').ok).toBe(false);
  });

  it('is refused with a repeated key, or a key that is spelled like another field', () => {
    const members = new Set(text.match(/"[a-z_]+": /g));
    expect(members.size).toBeGreaterThan(60);
    for (const member of members) {
      const key = member.slice(1, -3);
      for (const twin of [
        key,
        key.replace(/[a-z]$/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
      ]) {
        const [problem] = readPlan(text.replace(member, `"${twin}": 1, ${member}`), 'plan.json').problems;
        expect({ twin, problem }).toMatchObject({
          problem: { code: 'plan-file-invalid', message: `the key "${key}" appears twice in one object` },
        });
      }
      const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const spelled = readPlan(text.replace(member, `"${camel}": 1, ${member}`), 'plan.json');
      expect(spelled.problems).toMatchObject([{ code: 'plan-file-invalid' }]);
    }
  });

  it('has the line and the column of a repeated key in the error', () => {
    const [problem] = readPlan(text.replace('"steps"', '"files": [],\n    "steps"'), 'plan.json').problems;
    const line = text.slice(0, text.indexOf('"steps"')).split('\n').length;
    expect(problem?.place).toEqual({ file: 'plan.json', line, col: 3 });
  });
});

describe('a plan file that is nested too deeply', () => {
  const added = (member: string) => text.replace('{', `{"later": ${member},`);
  const cases: readonly (readonly [string, string, string])[] = [
    ['deep lists', added('['.repeat(100_000) + ']'.repeat(100_000)), 'nested more than 100 deep'],
    ['deep objects', added(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 'nested more than 100 deep'],
    ['a long text', added(`"${'x'.repeat(20_000_000)}"`), 'was modified after it was created'],
  ];

  it.each(cases)('is refused with a location: %s', (_case, forgedText, message) => {
    expect(readPlan(forgedText, 'plan.json').problems).toMatchObject([
      { message: expect.stringContaining(message), place: { file: 'plan.json' } },
    ]);
  });
});

describe('a plan that contradicts itself', () => {
  const some = plan.steps.slice(0, 2);
  const cases: readonly (readonly [string, Partial<Plan>])[] = [
    ['in its sums', { summary: { ...plan.summary, delete: 0 } }],
    ['in its counts of pending installs', { pendingInstalls: [] }],
    ['in its calls', { calls: { ...plan.calls, planned: plan.calls.planned + 1 } }],
    [
      'in the kinds of its calls',
      { calls: { ...plan.calls, byAction: { ...plan.calls.byAction, delete: 0 } } },
    ],
    ['in its lower bound', { calls: { ...plan.calls, minimum: plan.calls.planned + 1 } }],
    ['in its verdict', { applicable: !plan.applicable }],
    ['in its steps', { steps: some satisfies readonly Step[] }],
  ];

  it.each(cases)('%s is refused, though its checksum and digest are right', (_case, change) => {
    expect(readPlan(printPlan({ ...plan, ...change }), 'plan.json').problems[0]).toMatchObject({
      code: 'plan-unsound',
      message: expect.stringContaining('the plan is unsound at '),
    });
  });
});

describe('a plan whose steps contradict each other', () => {
  type Change = (steps: Step[]) => unknown;
  const of = <Kind extends Step['kind']>(steps: readonly Step[], kind: Kind) =>
    steps.find((step) => step.kind === kind) as Mutable<Extract<Step, { readonly kind: Kind }>>;
  const member = (steps: readonly Step[], kind: 'move' | 'delete' | 'antivirus') =>
    of(steps, kind).hosts[0] as Mutable<BatchMember>;
  const other = hostId(97);

  const cases: readonly (readonly [string, Change])[] = [
    ['renames another host than it expects', (steps) => (of(steps, 'rename').hostId = other)],
    ['deletes another host than it expects', (steps) => (member(steps, 'delete').hostId = other)],
    ['moves another host than it expects', (steps) => (member(steps, 'move').hostId = other)],
    ['shows another name than it expects', (steps) => (member(steps, 'delete').name = 'SPARE-01')],
    [
      'expects two names of one host',
      (steps) =>
        Object.assign(member(steps, 'move'), {
          name: 'Z',
          expects: { ...member(steps, 'move').expects, name: 'Z' },
        }),
    ],
    [
      'expects two groups of one host',
      (steps) => (member(steps, 'move').expects = { ...member(steps, 'move').expects, groupId: groupId(5) }),
    ],
    ['renames from a name that the host does not have', (steps) => (of(steps, 'rename').from = 'Z')],
    [
      'deletes a host twice',
      (steps) => (of(steps, 'delete').hosts = [0, 0].map(() => member(steps, 'delete'))),
    ],
    [
      'deletes a host that it moves',
      (steps) => (of(steps, 'delete').hosts = [member(steps, 'delete'), member(steps, 'move')]),
    ],
    ['waits for itself', (steps) => (of(steps, 'delete').after = [of(steps, 'delete').id])],
    ['waits for a later step', (steps) => (of(steps, 'temporary-rename').after = [of(steps, 'delete').id])],
    ['waits for a step that does not exist', (steps) => (of(steps, 'delete').after = ['s99' as StepId])],
    ['has the id of another step', (steps) => (of(steps, 'delete').id = of(steps, 'move').id)],
  ];

  it.each(cases)('is refused although its checksum and digest are right: it %s', (_case, change) => {
    const steps = structuredClone(real.steps) as Step[];
    change(steps);
    const summary = {
      ...real.summary,
      delete: steps.flatMap((each) => (each.kind === 'delete' ? each.hosts : [])).length,
    };
    const forgedPlan: Plan = { ...real, steps, summary };
    expect(readPlan(printPlan(forgedPlan), 'plan.json').problems[0]).toMatchObject({
      code: 'plan-unsound',
      message: expect.stringMatching(/^the plan is unsound at s\d+: /),
    });
  });
});

type Mutable<Of> = { -readonly [Key in keyof Of]: Of[Key] };
