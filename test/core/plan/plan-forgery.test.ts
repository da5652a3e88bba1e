import { describe, expect, it } from 'vitest';
import { fromDocument } from '../../../src/core/plan/document/document-names.ts';
import { printPlan, readPlan } from '../../../src/core/plan/document/plan-document.ts';
import { planJsonSchema } from '../../../src/core/plan/document/plan-schema.ts';
import { pendingCounts } from '../../../src/core/plan/intents/pending-installs.ts';
import { type Plan } from '../../../src/core/plan/types/plan.ts';
import { actionOf, type Step } from '../../../src/core/plan/types/step.ts';

/** As much of JSON Schema as that of the plan has. */
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

/** A value with every member that the schema knows, and one item for each kind of item. */
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

const {
  checksum: _checksum,
  digest: _digest,
  ...members
} = sample(planJsonSchema()) as Plan & {
  readonly checksum: string;
  readonly digest: string;
};
const plan: Plan = agreeing({ ...(fromDocument(members) as Plan), formatVersion: '4.0' });
const text = printPlan(plan);
const document = JSON.parse(text) as object;

/** With the sums that the steps of the sample have, and the verdict that its problems ask for. */
function agreeing(given: Plan): Plan {
  const kinds = { rename: 0, temporaryRename: 0, move: 0, antivirus: 0, refresh: 0, delete: 0 };
  const byAction = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
  for (const { kind } of given.steps) {
    kinds[kind === 'temporary-rename' ? 'temporaryRename' : kind] += 1;
    byAction[actionOf(kind)] += 1;
  }
  return {
    ...given,
    applicable: given.problems.every(({ severity }) => severity !== 'error'),
    summary: { ...given.summary, ...kinds, ...pendingCounts(given.pendingInstalls) },
    calls: { ...given.calls, planned: given.steps.length, byAction },
  };
}

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
    ? [...value, ...(value as readonly unknown[])]
    : { ...(value as object), added: 1 };
}

const paths = [...pathsIn(document)];
const decided = paths.filter(([first]) => first !== 'forecast');

describe('a plan file', () => {
  it('with every member that the schema knows is read as it was written', () => {
    expect(readPlan(text, 'plan.json')).toEqual({ ok: true, value: plan, problems: [] });
    expect(Object.keys(document).toSorted()).toEqual(
      Object.keys((planJsonSchema() as Schema).properties ?? {}).toSorted(),
    );
    expect(decided.length).toBeGreaterThan(200);
  });

  it('is refused with any member changed, left out or added, except for the forecast', () => {
    const passed = (change: (holder: Record<string, unknown>, key: string) => void) =>
      decided.filter((path) => readPlan(forged(path, change), 'plan.json').ok).map((path) => path.join('.'));
    expect(passed((holder, key) => (holder[key] = changed(holder[key])))).toEqual([]);
    expect(
      passed((holder, key) => (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key])),
    ).toEqual([]);
    expect(readPlan(JSON.stringify({ ...document, later: 1 }), 'plan.json').ok).toBe(false);
  });

  it('is read with another forecast, which decides nothing', () => {
    const inForecast = paths.filter(
      (path) => path[0] === 'forecast' && typeof at(document, path) === 'number',
    );
    expect(inForecast.length).toBeGreaterThan(4);
    for (const path of inForecast) {
      expect(
        readPlan(
          forged(path, (holder, key) => (holder[key] = 2)),
          'plan.json',
        ).ok,
      ).toBe(true);
    }
    const { forecast: _, ...rest } = document as Readonly<Record<string, unknown>>;
    expect(readPlan(JSON.stringify(rest), 'plan.json').ok).toBe(true);
  });

  it('is refused with any key twice, or spelled as another member would be read', () => {
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

  it('names the line and the column of a key that stands twice', () => {
    const [problem] = readPlan(text.replace('"steps"', '"files": [],\n    "steps"'), 'plan.json').problems;
    const line = text.slice(0, text.indexOf('"steps"')).split('\n').length;
    expect(problem?.place).toEqual({ file: 'plan.json', line, col: 3 });
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
    expect(readPlan(printPlan({ ...plan, ...change }), 'plan.json').problems).toMatchObject([
      { code: 'plan-file-checksum', message: expect.stringContaining('does not match') },
    ]);
  });
});
