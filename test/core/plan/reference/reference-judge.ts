import { createMatcher } from '../../../../src/core/expression/running/first-match.ts';
import { isOpen } from '../../../../src/core/model/change-window.ts';
import type { Condition } from '../../../../src/core/model/expression.ts';
import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import type { ObservedHost } from '../../../../src/core/model/observed.ts';
import {
  allowance,
  type ChangeKind,
  changeKinds,
  type Unmanaged,
} from '../../../../src/core/model/policy.ts';
import { isProvenTemporaryName, readTemporaryName } from '../../../../src/core/model/temporary-name.ts';
import type { PlanInputs } from '../../../../src/core/plan/types/plan-inputs.ts';
import { keysOf, subjectsOf } from './naive-facts.ts';
import type { Report } from './plan-text.ts';
import {
  type Change,
  findChanges,
  hasOtherName,
  hasTemporary,
  isNamed,
  type Pending,
  type Wish,
} from './reference-differences.ts';
import type { orderRenames } from './reference-planner.ts';

/** A plan of the reference planner, with everything that it found while planning. */
interface Workings {
  readonly inputs: PlanInputs;
  readonly hosts: readonly ObservedHost[];
  readonly whole: ReturnType<typeof findChanges>;
  readonly changes: readonly Change[];
  readonly pending: readonly Pending[];
  readonly order: ReturnType<typeof orderRenames>;
  readonly summary: Readonly<Record<ChangeKind, number>>;
  inScope(wish: Wish): boolean;
}

/** Reports problems of a plan, and changes that deserve a look. */
export function judgePlan(workings: Workings, report: Report): void {
  const { inputs, hosts, whole, changes, order, summary, inScope } = workings;
  const { desired, observed, acks = {}, skipBlocked } = inputs;
  const { managed, groupOf, isIntruder } = whole;
  const changed = (kind: ChangeKind) => changes.filter(({ to }) => to[kind] !== undefined);
  judgeEntries();
  judgeWishes();
  judgeCounts();
  judgeTables();
  judgePolicies();
  proveSettled();

  function judgeEntries() {
    const level = inputs.strict ? 'error' : 'warning';
    for (const { entry, line, meant } of whole.found) {
      const { id, name, previously, ensure } = entry;
      const [host, ...more] = meant;
      const rivals = whole.matchesOf(host);
      if (host === undefined && ensure === 'present' && id === undefined)
        report(level, 'awaiting-enrollment', line);
      if (host === undefined && ensure === 'present' && id !== undefined)
        report(level, 'missing-host', line, [{ id }]);
      if (more.length > 0) report('error', 'ambiguous-host', line, meant);
      if (more.length === 0 && rivals.length > 1 && host !== undefined)
        report('error', 'host-claimed-twice', rivals[0]?.line, [host]);
      if (more.length > 0 || rivals.length > 1 || host === undefined) continue;
      const spare = hosts.filter(
        (each) => previously.includes(each.name ?? '') && whole.matchesOf(each).length !== 1,
      );
      if (id === undefined && host.name === name && spare.length > 0)
        report('warning', 'previous-name-alive', line, [host, ...spare]);
      const names = [...(name === undefined ? [] : [name]), ...previously];
      const isExpected = names.some((each) => host.name === each || hasTemporary(host, 'deletion', each));
      const isPinned = id !== undefined && ensure === 'absent' && name !== undefined && host.name !== null;
      if (hasOtherName(entry, host)) report('error', 'name-differs', line, [host]);
      if (isPinned && !isExpected) report('warning', 'name-differs', line, [host]);
    }
  }

  function judgeWishes() {
    const { requests } = inputs.installs ?? { requests: new Map() };
    for (const wish of whole.wishes) {
      const {
        host,
        entry,
        claims: { rename, antivirus, delete: absent },
      } = wish;
      const isRefused = entry !== undefined && hasOtherName(entry, host);
      if (typeof rename?.to === 'string') {
        const rivals = whole.rivalsOf(rename.to);
        const { line } = rivals[0]?.claims.rename ?? {};
        const name = fold(rename.to);
        const alike = hosts.filter((each) => fold(each.name ?? '') === name);
        if (whole.isContested(rename.to))
          report(
            'error',
            'duplicate-name',
            line,
            rivals.map((each) => each.host),
          );
        else if (rivals.every(isNamed) && alike.length > 1) report('warning', 'live-duplicate', line, alike);
      }
      const isDeleted = whole.changes.some((each) => each.host === host && each.to.delete !== undefined);
      if (absent?.to === 'absent' && !isDeleted && !isRefused)
        report('note', 'deletion-not-due', absent.line, [host]);
      if (
        isRefused ||
        absent?.to === 'absent' ||
        antivirus === undefined ||
        host.antivirus?.installed === true
      )
        continue;
      const state = whole.pending.find((each) => each.host === host)?.state;
      if (state !== undefined)
        report(state === 'in-doubt' ? 'warning' : 'note', `antivirus-${state}`, antivirus.line, [host]);
      else if (host.antivirus?.supported !== true)
        report('warning', 'antivirus-unsupported', antivirus.line, [host]);
      else if (requests.has(host.id)) report('note', 'antivirus-requested-again', antivirus.line, [host]);
    }
  }

  function judgeCounts() {
    for (const { rename, owner } of order.conflicts)
      report(skipBlocked ? 'warning' : 'error', 'name-conflict', rename.claims.rename?.line, [
        rename.host,
        owner,
      ]);
    if (skipBlocked ? order.blocked.length > 0 : order.blocked.length !== order.conflicts.length)
      report(
        'note',
        'blocked',
        undefined,
        order.blocked.map(({ host }) => host),
      );
    for (const { host, entry, to } of changes)
      if (entry?.protect?.some((kind) => to[kind] !== undefined))
        report('error', 'protected', desired.positionOf(entry.index).line, [host]);
    for (const kind of changeKinds) {
      const isApproved = acks[kind] === summary[kind];
      const isTooMany = summary[kind] > allowance(desired.limits[kind], hosts.length);
      if (acks[kind] !== undefined && !isApproved) report('error', 'ack-mismatch');
      if (isTooMany && !isApproved) report('error', 'limit-exceeded');
    }
  }

  function judgeTables() {
    for (const table of desired.tables ?? []) {
      const keys = keysOf(table);
      report(keys.length === 0 ? 'error' : 'note', 'table-incomplete', table.place.line);
      if (keys.includes(undefined)) report('note', 'table-key', table.place.line);
      for (const [row, key] of keys.entries())
        if (key !== undefined && keys.indexOf(key) < row)
          report('error', 'table-key', table.rows.positionOf(row).line);
    }
  }

  function judgePolicies() {
    const { protect, changes: judges, windows, freezes, groups, unmanaged } = desired.policy;
    const subjectOf = subjectsOf(inputs, hosts);
    const nameOf = (id: string | undefined) => observed.groups.find((each) => each.id === id)?.name ?? '';
    const acts = changes.flatMap(({ host, to }) =>
      changeKinds.flatMap((kind) => {
        const isMove = kind === 'move';
        const from = isMove ? nameOf(host.groupId) : kind === 'rename' ? (host.name ?? '') : '';
        const into = isMove ? nameOf(to.move) : (to[kind] ?? '');
        return to[kind] === undefined ? [] : { host, kind, from, to: into };
      }),
    );
    const has = (kinds: readonly string[]) => acts.filter(({ kind }) => kinds.includes(kind));
    const judge = (when: Condition, code: string, line: number, kinds: readonly string[] = changeKinds) => {
      const severity = code === 'policy-warning' ? 'warning' : 'error';
      for (const { host, ...act } of has(kinds)) {
        const answer = when.begin()(subjectOf(host), act);
        if (!answer.ok || answer.value) report(severity, answer.ok ? code : 'policy-undecided', line, [host]);
      }
    };
    for (const { when, from, place } of protect) judge(when, 'protected', place.line, from);
    for (const { when, effect, place } of judges)
      judge(when, effect === 'deny' ? 'denied' : 'policy-warning', place.line);
    for (const { only, kinds = changeKinds, place } of windows)
      if (has(kinds).length > 0 && !only.some((window) => isOpen(window, inputs.now)))
        report('error', 'outside-window', place.line);
    for (const { from = '', until = '9', place } of freezes)
      if (acts.length > 0 && from <= inputs.now && inputs.now < until) report('error', 'frozen', place.line);
    const isUnmanaged = (host: ObservedHost) => managed.every((wish) => wish.host !== host);
    const remark = (what: Unmanaged, where: readonly ObservedHost[], line: number) => {
      const found = where.filter(isUnmanaged);
      if (what !== 'ignore' && found.length > 0)
        report(what === 'forbid' ? 'error' : 'warning', 'unmanaged-hosts', line, found);
    };
    const apart: ObservedHost[] = [];
    for (const { group, limits, unmanaged: what, exclusive, othersTo, place } of groups) {
      const id = groupOf(group);
      const members = hosts.filter(({ groupId }) => groupId === id);
      const intruders = members.filter((host) => isIntruder(host, id));
      for (const kind of changeKinds) {
        const count = changed(kind).filter(({ host }) => host.groupId === id).length;
        if (id !== undefined && limits[kind] !== undefined && count > allowance(limits[kind], members.length))
          report('error', 'group-limit-exceeded', place.line);
      }
      if (what !== undefined) remark(what, members, place.line);
      if (what !== undefined) apart.push(...members);
      if (exclusive && othersTo === undefined && intruders.length > 0)
        report('warning', 'exclusive-group', place.line, intruders);
    }
    if (unmanaged !== undefined)
      remark(
        unmanaged.what,
        hosts.filter((host) => !apart.includes(host)),
        unmanaged.place.line,
      );
  }

  /** Planning again on the fleet after the plan should find nothing. */
  function proveSettled() {
    const isBlocked = ({ host }: Wish) => order.blocked.some((each) => each.host.id === host.id);
    const outcomeOf = (change: Change): ObservedHost => ({
      ...change.host,
      name: change.to.rename === undefined || isBlocked(change) ? change.host.name : change.to.rename,
      groupId: (change.to.move ?? change.host.groupId) as ObservedHost['groupId'],
      ...(change.to.antivirus === undefined ? {} : { antivirus: { installed: true, supported: true } }),
    });
    const predicted = hosts.flatMap((host) => {
      const change = changes.find((each) => each.host === host);
      return change === undefined ? host : change.to.delete === undefined ? outcomeOf(change) : [];
    });
    for (const change of findChanges(inputs, predicted).changes) {
      const kinds = (['rename', 'move', 'delete', 'antivirus'] as const).filter(
        (kind) => change.to[kind] !== undefined,
      );
      if (!inScope(change) || (isBlocked(change) && kinds.join() === 'rename')) continue;
      const claim = change.claims[kinds[0] ?? 'rename'];
      report('error', claim?.rule === undefined ? 'not-settled' : 'rule-not-settled', claim?.line, [
        change.host,
      ]);
    }
    const subjectOf = subjectsOf(inputs, hosts);
    for (const [index, { when }] of desired.rules.entries()) {
      const matcher = createMatcher([when]);
      const ended = changes.find((each) => {
        const { rule, isCompletion } = each.claims.rename ?? {};
        if (each.to.rename === undefined || rule !== index || isCompletion || isBlocked(each)) return false;
        const { matches, faults } = matcher(subjectOf(outcomeOf(each)));
        return matches.length + faults.length === 0;
      });
      if (ended !== undefined)
        report('warning', 'rule-ends-itself', desired.placeOfRule(index).line, [ended.host]);
    }
    for (const host of predicted) {
      const temporary = readTemporaryName(host.name);
      if (temporary === undefined) continue;
      const isOurs = isProvenTemporaryName(temporary, host.id);
      report('warning', isOurs ? 'temporary-name-left' : 'lookalike-name', undefined, [host]);
    }
  }
}
