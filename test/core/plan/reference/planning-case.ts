import { compileCondition, compileTemplate, compileText } from '../../../../src/core/expression/compile.ts';
import { memo } from '../../../../src/core/lib/memo.ts';
import type { AssetTable, ColumnType } from '../../../../src/core/model/asset-table.ts';
import type { Desired, Rule } from '../../../../src/core/model/desired.ts';
import {
  defaultInstallSettleMs,
  defaultInstallWindowMs,
} from '../../../../src/core/model/install-request.ts';
import type { GroupIntent } from '../../../../src/core/model/observed.ts';
import { parseChangeWindow } from '../../../../src/core/model/parse-change-window.ts';
import type {
  ChangeKind,
  GroupPolicy,
  Limit,
  Policy,
  Protection,
  Unmanaged,
} from '../../../../src/core/model/policy.ts';
import type { PlanInputs } from '../../../../src/core/plan/types/plan-inputs.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { type GivenHost, givenFleet, groupId, hostId, at as now } from '../../../given/fleet.ts';

export type GroupGiven = string | { readonly id: string } | null;

export interface RuleGiven {
  /** An expression. */
  readonly when: string;
  readonly rename?: string;
  readonly group?: GroupGiven;
  readonly antivirus?: true;
  readonly ensure?: 'present' | 'absent';
}

export interface RowGiven {
  readonly key?: string;
  readonly tag?: string;
  readonly site?: string;
}

export interface RequestGiven {
  readonly id: string;
  readonly state: 'accepted' | 'in-doubt';
  /** Hours since the host was asked to report; absent if it was not. */
  readonly refreshed?: number;
}

export interface GroupPolicyGiven {
  readonly group: GroupGiven;
  readonly unmanaged?: Unmanaged;
  readonly exclusive: boolean;
  readonly othersTo?: GroupGiven;
  readonly limits: GroupPolicy['limits'];
}

export interface PolicyGiven {
  readonly protect: readonly { readonly when: string; readonly from: Protection['from'] }[];
  readonly changes: readonly { readonly when: string; readonly effect: 'deny' | 'warn' }[];
  readonly windows: readonly { readonly only: readonly string[]; readonly kinds?: readonly ChangeKind[] }[];
  readonly freezes: readonly { readonly from?: string; readonly until?: string }[];
  readonly groups: readonly GroupPolicyGiven[];
  readonly unmanaged?: Unmanaged;
}

/** A desired state, a fleet and the options of one plan, as plain data. */
export interface PlanningCase {
  readonly hosts: readonly (GivenHost & { readonly id: string; readonly group: string })[];
  /** Names by id. Two groups may have one name. */
  readonly groups: Readonly<Record<string, string>>;
  readonly entries: readonly (GivenEntry & { readonly id?: string; readonly group?: GroupGiven })[];
  readonly rules: readonly RuleGiven[];
  readonly policy: PolicyGiven;
  /** A table of hosts, by their name or by their id. */
  readonly table?: { readonly join: 'name' | 'id'; readonly rows: readonly RowGiven[] };
  readonly requests: readonly RequestGiven[];
  readonly limits: Partial<Record<ChangeKind, Limit>>;
  readonly acks: Partial<Record<ChangeKind, number>>;
  readonly deleteFirst: boolean;
  readonly skipBlocked: boolean;
  readonly strict: boolean;
  readonly batchSize: number;
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

/** The inputs of both planners: the case as it is read from files and lists. */
export function planInputs(given: PlanningCase): PlanInputs {
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

function hoursAgo(hours: number): string {
  return new Date(Date.parse(now) - hours * 3_600_000).toISOString();
}

function desiredOf({ entries, rules, limits, table, policy }: PlanningCase): Desired {
  return {
    ...givenDesired(entries, { ...noLimits, ...limits }, rules.map(toRule)),
    policy: toPolicy(policy),
    ...(table === undefined ? {} : { tables: [toTable(table)] }),
  };
}

function place(line: number) {
  return { file: 'fleet.yaml', line, col: 1 };
}

const types = new Map([['asset', new Map<string, ColumnType>()]]);
// Compiling takes longer than planning so few hosts.
const conditionOf = memo((source: string) => expectOk(compileCondition(source, 'rule', types)));
const judgeOf = memo((source: string) => expectOk(compileCondition(source, 'change', types)));
const templateOf = memo((source: string) => expectOk(compileTemplate(source, types)));
const textOf = memo((source: string) => expectOk(compileText(source)));
const windowOf = memo((source: string) => {
  const parsed = parseChangeWindow(source);
  if (!parsed.ok) throw new Error(source);
  return parsed.window;
});

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
    when: conditionOf(when),
    ...(rename === undefined ? {} : { rename: { ...templateOf(rename) } }),
    ...(group === undefined ? {} : { group: toIntent(group) }),
    antivirus: antivirus ?? false,
    ...(ensure === undefined ? {} : { ensure }),
  };
}

function toIntent(group: GroupGiven): GroupIntent {
  if (group === null) return { kind: 'ungrouped' };
  return typeof group === 'string' ? { kind: 'named', name: group } : { kind: 'id', id: groupId(group.id) };
}

function toPolicy({ protect, changes, windows, freezes, groups, unmanaged }: PolicyGiven): Policy {
  const named = (line: number) => ({ name: `policy ${line}`, place: place(line) });
  return {
    protect: protect.map(({ when, from }, at) => ({ ...named(4000 + at), when: judgeOf(when), from })),
    changes: changes.map(({ when, effect }, at) => ({
      ...named(4100 + at),
      when: judgeOf(when),
      effect,
      message: 'no',
    })),
    windows: windows.map(({ only, ...each }, at) => ({
      ...named(4200 + at),
      ...each,
      only: only.map(windowOf),
    })),
    freezes: freezes.map((each, at) => ({ ...named(4300 + at), ...each })),
    groups: groups.map(({ group, othersTo, ...each }, at) => ({
      ...each,
      group: toIntent(group),
      place: place(4400 + at),
      ...(othersTo === undefined ? {} : { othersTo: { group: toIntent(othersTo), place: place(4500 + at) } }),
    })),
    ...(unmanaged === undefined ? {} : { unmanaged: { what: unmanaged, place: place(4600) } }),
  };
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
      positionOf: (row) => place(2000 + row),
    },
    hash: 'a hash',
    place: place(3000),
  };
}
