import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { paintPlan } from '../../../src/output/review/terminal.ts';
import { planFor } from '../../given/register.ts';

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
  it('gives hosts their names, whatever the letter case of the key', () => {
    expect(renamesOf(planFor(names, assets, machines))).toEqual([
      '1 DESKTOP-1 -> BER-LT-001',
      '2 DESKTOP-2 -> VIE-LT-001',
    ]);
  });

  it('leaves hosts without a row alone, and says so', () => {
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
