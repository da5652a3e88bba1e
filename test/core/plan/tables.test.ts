import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/core/plan/explain.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { plainColor, plainStyle } from '../../../src/output/review/color.ts';
import { paintExplanation } from '../../../src/output/review/explanation-text.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { paintPlan } from '../../../src/output/review/terminal.ts';
import { hostId } from '../../given/fleet.ts';
import { inputsFor, planFor, readFleet } from '../../given/register.ts';

const table = `
tables:
  - name: asset
    file: assets.csv
    key: Serial
    join: host.inventory.hardware.serviceTag
`;

const names = `${table}
rules:
  - name: names
    when: host.group == ""
    rename: \${asset.Name}
`;

const assets = {
  'assets.csv': 'Serial,Name,Site\n5CG1,BER-LT-001,Berlin\n5CG2,BER-LT-002,Berlin\n5CG3,VIE-LT-001,Wien\n',
};

const machines = [
  { id: 1, name: 'DESKTOP-1', serial: '5CG1' },
  { id: 2, name: 'DESKTOP-2', serial: '5cg3' },
  { id: 3, name: 'DESKTOP-3', serial: 'unregistered' },
  { id: 4, name: 'DESKTOP-4' },
];

function renamesOf({ steps }: Plan) {
  return steps.flatMap((step) =>
    step.kind === 'rename' ? [`${step.hostId} ${step.from} -> ${step.to}`] : [],
  );
}

describe('a table that is joined to hosts by serial number', () => {
  it('leaves hosts without a row alone, and reports them', () => {
    const { problems, applicable } = planFor(names, assets, machines);
    expect(applicable).toBe(true);
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toContainEqual(
      expect.stringMatching(/^warning: rule "names" does not rename .*asset.Name is unknown for this host$/),
    );
  });

  it('shows which cell gave a name, in the plan and in the terminal', () => {
    const plan = planFor(names, assets, machines);
    const [first] = plan.steps;
    expect(first?.kind === 'rename' ? first.reason : undefined).toEqual({
      file: 'fleet.yaml',
      line: 12,
      col: 13,
      rule: 'names',
      cells: [{ table: 'asset', column: 'Name', file: 'assets.csv', line: 2, col: 6 }],
    });
    const text = paintPlan(toRows(plan), { color: plainColor, columns: null });
    expect(text).toContain('assets.csv:2');
    expect(plan.tables).toEqual([
      {
        name: 'asset',
        origin: 'assets.csv',
        rows: 3,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        changedAt: expect.any(String),
        named: 2,
      },
    ]);
  });
});

describe('an explanation of a host', () => {
  it('shows which cell of which row gives its name', () => {
    const inputs = inputsFor(names, assets, machines);
    const explanation = explain(hostId(1), inputs, makePlan(inputs));
    if (explanation === undefined) throw new Error('the host is not explained');
    expect(explanation.attributes[0]?.decidedBy?.cells).toEqual([
      { table: 'asset', column: 'Name', file: 'assets.csv', line: 2, col: 6 },
    ]);
    expect(paintExplanation(explanation, plainStyle)).toContain(
      'by rule names at fleet.yaml:12:13, with asset.Name at assets.csv:2',
    );
  });
});

const record = (rows: number) => ({
  lastTables: new Map([['asset', { name: 'asset', rows, hash: '' }]]),
});

function errorsOf({ problems, applicable }: Plan) {
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  expect(applicable).toBe(errors.length === 0);
  return errors;
}

describe('a table that may be damaged refuses the plan', () => {
  it.each([
    ['has no rows', 'Serial,Name\n', 3, /has no rows/],
    [
      'repeats a key in other letters',
      'Serial,Name\n5CG1,a\n5cg1 ,b\n',
      2,
      /two rows of table "asset" have the same "Serial"/,
    ],
    ['lost a column', 'Serial,Title\n5CG1,a\n', 1, /rule "names": the table "asset" has no column "Name"/],
    ['lost its key', 'Number,Name\n5CG1,a\n', 1, /table "asset": the table "asset" has no column "Serial"/],
    ['shrank', assets['assets.csv'], 5, /has 3 rows, and had 5 when the last run ended/],
  ])('if it %s', (_, text, last, message) => {
    const errors = errorsOf(planFor(names, { 'assets.csv': text }, machines, record(last)));
    expect(errors).toContainEqual(expect.stringMatching(message));
  });

  it('but rows without a usable key do not count as repeated', () => {
    const text =
      'Serial,Name\n,a\n,b\nTo be filled by O.E.M.,c\nTo be filled by O.E.M.,d\n0000000,e\n0000000,f\n';
    const plan = planFor(names, { 'assets.csv': text }, [{ id: 1, name: 'A', serial: '0000000' }], record(6));
    expect(errorsOf(plan)).toEqual([]);
    expect(plan.steps).toEqual([]);
    expect(plan.problems.map(({ message }) => message)).toContainEqual(
      'table "asset" has 6 rows without a usable "Serial": they belong to no host',
    );
  });
});

describe('an unknown cell', () => {
  const rules = (text: string) => `${table}\nrules:\n${text}`;
  const moves = ({ steps }: Plan) =>
    steps.flatMap((step) =>
      step.kind === 'move' ? step.hosts.map(({ hostId }) => `${hostId} to ${step.groupName}`) : [],
    );
  const one = [
    { id: 1, name: 'A', serial: '5CG1' },
    { id: 2, name: 'B', serial: 'unregistered' },
  ];

  it('keeps later rules from setting the attribute that its rule might set', () => {
    const yaml = rules(`  - { name: Berlin, when: asset.Site == "Berlin", group: Berlin }
  - { name: others, when: "true", group: Wien, rename: "X-\${host.id}" }`);
    const plan = planFor(yaml, assets, one);
    expect(moves(plan)).toEqual(['1 to Berlin']);
    expect(renamesOf(plan)).toEqual(['1 A -> X-1', '2 B -> X-2']);
  });

  it('keeps later rules from naming a host that an earlier rule might name', () => {
    const yaml =
      rules(`  - { name: Dell, when: host.inventory.hardware.hardwareInfo.model != "X", rename: "X" }
  - { name: Berlin, when: asset.Site == "Berlin", rename: "Y" }
  - { name: others, when: "true", rename: "Z-\${host.id}" }`);
    const plan = planFor(yaml, assets, [{ id: 2, name: 'B' }]);
    expect(renamesOf(plan)).toEqual([]);
    expect(plan.problems.map(({ severity, code }) => `${severity} ${code}`)).toContainEqual(
      'note unknown-facts',
    );
  });

  it('does not affect the decision of an earlier rule', () => {
    const yaml = rules(`  - { name: unregistered, when: "!has(asset.Serial)", group: Wien }
  - { name: Berlin, when: asset.Site == "Berlin", group: Berlin }`);
    const plan = planFor(yaml, assets, one);
    expect(moves(plan).toSorted()).toEqual(['1 to Berlin', '2 to Wien']);
    expect(plan.problems.map(({ code }) => code)).not.toContain('unknown-facts');
  });

  it.each([
    ['asset.Site != "Berlin"'],
    ['!(asset.Site == "Berlin")'],
    ['asset.Site == "" || asset.Name == ""'],
    ['asset.Site.startsWith("") && asset.Name != "x"'],
    ['asset["Site"].size() < 100'],
  ])('never deletes a host: %s', (when) => {
    const yaml = rules(`  - { name: sweep, when: '${when}', ensure: absent }`);
    const plan = planFor(yaml, assets, [{ id: 2, name: 'B', serial: 'unregistered' }]);
    expect(plan.steps).toEqual([]);
    expect(plan.problems).toContainEqual(
      expect.objectContaining({ code: 'unknown-facts', severity: 'note', hostIds: ['2'] }),
    );
  });

  it("makes a policy refuse a change that it can't decide", () => {
    const yaml = `${rules(`  - { name: all, when: "true", rename: "X-\${host.id}" }`)}
policy:
  deny: [{ name: retired, when: 'asset.Site == "Berlin"', message: no }]`;
    const errors = errorsOf(planFor(yaml, assets, one));
    expect(errors).toEqual([
      expect.stringMatching(/would be renamed to "X-1"/),
      expect.stringMatching(/can't be evaluated for "B" \(2\): asset.Site is unknown/),
    ]);
  });
});

describe('facts about the time and about the whole fleet', () => {
  const grouped = (
    when: string,
    more: readonly { id: number; name: string; serial?: string; stateChangedAt?: string }[],
  ) => {
    const yaml = `rules:\n  - { name: rule, when: '${when}', group: Berlin }`;
    return planFor(yaml, {}, more).steps.flatMap((step) =>
      'hosts' in step ? step.hosts.map(({ hostId }) => hostId) : [],
    );
  };

  it('select hosts that share a serial number, but not one that identifies nothing', () => {
    expect(
      grouped('twins(host.inventory.hardware.serviceTag) > 0', [
        { id: 1, name: 'A', serial: '5CG1' },
        { id: 2, name: 'B', serial: '5cg1' },
        { id: 3, name: 'C', serial: '5CG2' },
        { id: 4, name: 'D', serial: 'Default string' },
        { id: 5, name: 'E', serial: 'Default string' },
        { id: 6, name: 'F' },
        { id: 7, name: 'G' },
      ]),
    ).toEqual(['1', '2']);
  });
});

const soak = process.env['RAMPART_SOAK'] === '1';

describe('random fleets with cloned and missing keys', () => {
  const serial = fc.constantFrom('S1', 's1', 'S2', 'S3', '', '0000', undefined);
  const fleet = fc.array(serial, { minLength: 1, maxLength: 6 });
  const rowKeys = fc.array(fc.constantFrom('S1', 'S2', 'S3', 'S4', '', '0000'), {
    minLength: 1,
    maxLength: 5,
  });
  const damage = fc.constantFrom('none', 'cut', 'shrunken', 'empty');

  it('get no name of another machine, and no write because of a damaged table', () => {
    fc.assert(
      fc.property(fleet, rowKeys, damage, (serials, keys, harm) => {
        const hosts = serials.map((each, index) => ({
          id: index + 1,
          name: `OLD-${index}`,
          ...(each === undefined ? {} : { serial: each }),
        }));
        const whole = `Serial,Name\n${keys.map((key, index) => `${key},${key || 'none'}-${index}`).join('\n')}\n`;
        if (harm === 'cut') {
          expect(readFleet(names, { 'assets.csv': `${whole}S9` }).ok).toBe(false);
          return;
        }
        const text = harm === 'empty' ? 'Serial,Name\n' : whole;
        const last = harm === 'shrunken' ? record(keys.length * 2 + 1) : record(keys.length);
        const plan = planFor(names, { 'assets.csv': text }, hosts, last);
        const usable = keys.filter((key) => key !== '' && key !== '0000');
        const isDamaged = harm !== 'none' || new Set(usable).size < usable.length;
        if (isDamaged) expect(plan.applicable).toBe(false);
        for (const step of plan.steps) {
          if (step.kind !== 'rename') continue;
          const own = serials[Number(step.hostId) - 1] ?? '';
          expect(step.to.startsWith(`${own.toUpperCase()}-`)).toBe(true);
          expect(['', '0000']).not.toContain(own);
        }
      }),
      { numRuns: soak ? 10_000 : 60 },
    );
  }, 600_000);
});
