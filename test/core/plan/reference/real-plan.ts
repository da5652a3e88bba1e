import { compileCondition, compileTemplate, compileText } from '../../../../src/core/expression/compile.ts';
import { memo } from '../../../../src/core/lib/memo.ts';
import type { AssetTable, ColumnType } from '../../../../src/core/model/asset-table.ts';
import type { Desired } from '../../../../src/core/model/desired.ts';
import type { GroupIntent } from '../../../../src/core/model/group.ts';
import {
  defaultInstallSettleMs,
  defaultInstallWindowMs,
} from '../../../../src/core/model/install-request.ts';
import type { Rule } from '../../../../src/core/model/rule.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import type { PlanInputs } from '../../../../src/core/plan/types/plan-inputs.ts';
import type { Step, StepId } from '../../../../src/core/plan/types/step.ts';
import { givenDesired, noLimits } from '../../../given/desired.ts';
import { givenFleet, groupId, hostId, at as now } from '../../../given/fleet.ts';
import {
  batchText,
  type PlanText,
  renameText,
  reportsOf,
  stepName,
  temporaryRenameText,
} from './plan-text.ts';
import {
  type GroupGiven,
  lineOf,
  type NamePart,
  type PlanningCase,
  type RuleGiven,
  type Test,
} from './planning-case.ts';

/** The inputs of the planner for a case. */
function planInputs(given: PlanningCase): PlanInputs {
  const { hosts, groups, target, exclude, acks, batchSize, deleteFirst, skipBlocked, strict } = given;
  return {
    desired: desiredOf(given),
    observed: givenFleet(hosts, groups),
    account: { companyId: '1', service: 'emulator' },
    now,
    acks,
    deleteFirst,
    skipBlocked,
    strict,
    batchSize,
    installs: {
      requests: new Map(
        given.requests.map(({ id, state, refreshed }) => {
          const refreshedAt = refreshed === undefined ? {} : { refreshedAt: hoursAgo(refreshed) };
          return [hostId(id), { state, requestedAt: hoursAgo(20), ...refreshedAt }];
        }),
      ),
      windowMs: defaultInstallWindowMs,
      settleMs: defaultInstallSettleMs,
    },
    ...(target === undefined ? {} : { target: new Set(target.map(hostId)) }),
    ...(exclude === undefined ? {} : { exclude: new Set(exclude.map(hostId)) }),
  };
}

/** What the planner makes of a case. */
export function realPlan(given: PlanningCase): PlanText {
  return textOfPlan(makePlan(planInputs(given)));
}

function hoursAgo(hours: number): string {
  return new Date(Date.parse(now) - hours * 3_600_000).toISOString();
}

function desiredOf({ entries, rules, limits, table }: PlanningCase): Desired {
  const desired = givenDesired(entries, { ...noLimits, ...limits }, rules.map(toRule));
  return { ...desired, ...(table === undefined ? {} : { tables: [toTable(table)] }) };
}

function place(line: number) {
  return { file: 'fleet.yaml', line, col: 1 };
}

const types = new Map([['asset', new Map<string, ColumnType>()]]);
// Compiling takes longer than planning so few hosts.
const conditionOf = memo((source: string) => expectOk(compileCondition(source, 'rule', types)));
const templateOf = memo((source: string) => expectOk(compileTemplate(source, types)));
const textOf = memo((source: string) => expectOk(compileText(source)));

function expectOk<T>(
  compiled: { ok: true; value: T } | { ok: false; faults: readonly { message: string }[] },
): T {
  if (compiled.ok) return compiled.value;
  throw new Error(compiled.faults.map(({ message }) => message).join('; '));
}

function toRule({ when, rename, group, antivirus, ensure }: RuleGiven, index: number): Rule {
  return {
    index,
    name: `rule ${index + 1}`,
    when: conditionOf(printTest(when)),
    ...(rename === undefined ? {} : { rename: templateOf(rename.map(printPart).join('')) }),
    ...(group === undefined ? {} : { group: toIntent(group) }),
    antivirus: antivirus ?? false,
    ...(ensure === undefined ? {} : { ensure }),
  };
}

function toIntent(group: GroupGiven): GroupIntent {
  if (group === null) return { kind: 'ungrouped' };
  return typeof group === 'string' ? { kind: 'named', name: group } : { kind: 'id', id: groupId(group.id) };
}

const factNames = { name: 'host.name', group: 'host.group', tag: 'asset.tag', site: 'asset.site' } as const;

/** The test as an expression of the rule language. */
function printTest(test: Test): string {
  switch (test.kind) {
    case 'is':
      return `${factNames[test.of]} == ${JSON.stringify(test.text)}`;
    case 'startsWith':
      return `${factNames[test.of]}.startsWith(${JSON.stringify(test.text)})`;
    case 'flag':
      return test.of === 'online' ? 'host.online' : 'host.antivirus.installed';
    case 'has':
      return `has(${factNames[test.of]})`;
    case 'aged':
      return `age(host.stateChangedAt) > duration("${test.days}d")`;
    case 'fragile':
      return `1 / (host.name.size() - ${test.length}) == 0`;
    case 'not':
      return `!(${printTest(test.of)})`;
    case 'and':
      return `(${printTest(test.left)}) && (${printTest(test.right)})`;
    case 'or':
      return `(${printTest(test.left)}) || (${printTest(test.right)})`;
  }
}

function printPart(part: NamePart): string {
  return 'text' in part ? part.text : `\${${factNames[part.of]}}`;
}

function toTable({ join, rows }: NonNullable<PlanningCase['table']>): AssetTable {
  return {
    name: 'asset',
    origin: 'assets.csv',
    key: 'key',
    join: textOf(`host.${join}`),
    types: new Map(),
    limits: { shrink: { kind: 'share', percent: 10 }, rows: 1 },
    rows: {
      columns: ['key', 'tag', 'site'],
      count: rows.length,
      cellAt: (row, column) => rows[row]?.[column as 'key' | 'tag' | 'site'],
      positionOf: (row) => place(lineOf.row(row)),
    },
    hash: 'a hash',
    place: place(lineOf.table),
  };
}

/** A plan in the form in which it is compared. */
function textOfPlan({ steps, summary, calls, problems }: Plan): PlanText {
  const { report, lines } = reportsOf();
  for (const { severity, code, place: at, hostIds = [] } of problems)
    report(
      severity,
      code,
      at?.line,
      hostIds.map((id) => ({ id })),
    );
  const names = new Map(steps.map((step) => [step.id, nameOfStep(step)]));
  return {
    steps: steps.map((step) => printStep(step, (id) => names.get(id) ?? 'no step')).sort(),
    summary: { ...summary },
    calls: { ...calls.byAction },
    problems: lines(),
  };
}

function nameOfStep(step: Step): string {
  return stepName(step.kind, 'hostId' in step ? step.hostId : '');
}

function printStep(step: Step, nameOf: (id: StepId) => string): string {
  switch (step.kind) {
    case 'rename':
      return renameText({ ...step, id: step.hostId, line: step.reason.line, after: step.after.map(nameOf) });
    case 'temporary-rename':
      return temporaryRenameText({ ...step, id: step.hostId, line: step.reason.line });
    case 'move':
    case 'antivirus':
    case 'refresh':
    case 'delete': {
      const what = step.kind === 'move' ? `move to ${step.groupId}` : step.kind;
      return batchText(
        what,
        step.hosts.map((each) => ({ id: each.hostId, line: each.reason.line })),
      );
    }
  }
}
