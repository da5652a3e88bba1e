import type { HostId } from '../../../../src/core/model/host-id.ts';
import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import { allowance } from '../../../../src/core/model/limits.ts';
import { changeKinds } from '../../../../src/core/model/policy.ts';
import { isProvenTemporaryName, readTemporaryName } from '../../../../src/core/model/temporary-name.ts';
import { askRule, factsOf, keyOf } from './answer-rules.ts';
import { type Change, findChanges, type Wish } from './find-changes.ts';
import { byId, linked, orderRenames } from './order-renames.ts';
import { batchText, type PlanText, reportsOf } from './plan-text.ts';
import { type Host, lineOf, type PlanningCase } from './planning-case.ts';

/** Plans a case by looking at all hosts again for every question. */
export function referencePlan(given: PlanningCase): PlanText {
  const { hosts, entries, table, target, exclude = [], batchSize, skipBlocked, acks } = given;
  const { report, lines } = reportsOf();
  const whole = findChanges(given, hosts, report);
  const wanted = [
    ...entries.filter(({ ensure }) => ensure !== 'absent').map(({ name }) => name),
    ...whole.wishes.map(({ name }) => name?.to),
  ];
  const reserved = wanted.map((name = '') => fold(name));
  const { together } = orderRenames(given, whole.changes, reserved);
  const inScope = ({ host: { id } }: Wish) =>
    (target === undefined || linked(target, together).has(id)) && !linked(exclude, together).has(id);
  const changes = whole.changes.filter(inScope);
  const pending = whole.pending.filter(inScope);
  const order = orderRenames(given, changes, reserved);
  const { blocked, conflicts } = order;

  const moved = changes.filter(({ move }) => move !== undefined).sort(byId);
  const installed = changes.filter(({ installs }) => installs);
  const deleted = changes.filter(({ deletes }) => deletes).sort(byId);
  const asked = pending.filter(({ asks }) => asks);
  const calls = {
    rename: [...order.first, ...order.steps],
    move: [...Map.groupBy(moved, ({ move }) => move)].flatMap(([to, all]) =>
      batches(`move to ${to}`, all, 'group'),
    ),
    delete: batches('delete', deleted, 'absent'),
    antivirus: batches('antivirus', installed, 'antivirus'),
    refresh: batches('refresh', asked, 'antivirus'),
  };
  const inDoubt = pending.filter(({ state }) => state === 'in-doubt').length;
  const isIdle = ({ host }: Wish) => ![...whole.changes, ...whole.pending].some((each) => each.host === host);
  const summary = {
    rename: order.steps.length,
    temporaryRename: order.first.length,
    move: moved.length,
    antivirus: installed.length,
    refresh: asked.length,
    delete: deleted.length,
    installsInProgress: pending.length - inDoubt,
    installsInDoubt: inDoubt,
    unchanged: whole.wishes.filter(isIdle).length,
    awaitingEnrollment: whole.awaiting,
    unmanaged: hosts.length - whole.wishes.length,
  };

  for (const { rename, owner } of conflicts)
    report(skipBlocked ? 'warning' : 'error', 'name-conflict', rename.name?.line, [rename.host, owner]);
  if (skipBlocked ? blocked.length > 0 : blocked.length !== conflicts.length)
    report(
      'note',
      'blocked',
      undefined,
      blocked.map(({ host }) => host),
    );
  for (const { host, entry, rename, move, deletes } of changes) {
    const asksFor = { rename: rename !== undefined, move: move !== undefined, delete: deletes };
    if (entry?.protect?.some((kind) => asksFor[kind]))
      report('error', 'protected', lineOf.entry(entries.indexOf(entry)), [host]);
  }
  for (const kind of changeKinds) {
    const most = allowance(given.limits[kind] ?? { kind: 'share', percent: 100 }, hosts.length);
    const approved = acks[kind];
    if (approved !== undefined && approved !== summary[kind]) report('error', 'ack-mismatch', undefined);
    if (summary[kind] > most && approved !== summary[kind]) report('error', 'limit-exceeded', undefined);
  }
  if (table !== undefined) {
    const keys = table.rows.map(keyOf);
    report(keys.length === 0 ? 'error' : 'note', 'table-incomplete', lineOf.table);
    if (keys.includes(undefined)) report('note', 'table-key', lineOf.table);
    for (const [row, key] of keys.entries())
      if (key !== undefined && keys.indexOf(key) < row) report('error', 'table-key', lineOf.row(row));
  }
  proveSettled();
  const counts = Object.entries(calls).map(([kind, all]) => [kind, all.length]);
  return {
    steps: Object.values(calls).flat().sort(),
    summary,
    calls: Object.fromEntries(counts),
    problems: lines(),
  };

  function batches(
    what: string,
    all: readonly Wish[],
    claim: 'group' | 'antivirus' | 'absent',
  ): readonly string[] {
    const members = all.map((wish) => ({ id: wish.host.id, line: wish[claim]?.line }));
    return [...Map.groupBy(members, (each) => Math.floor(members.indexOf(each) / batchSize)).values()].map(
      (part) => batchText(what, part),
    );
  }

  /** Planning again on the fleet after the plan should find nothing. */
  function proveSettled() {
    const isBlocked = ({ host }: Wish) => blocked.some((each) => each.host.id === host.id);
    const outcomeOf = (change: Change): Host => ({
      ...change.host,
      name: change.rename === undefined || isBlocked(change) ? change.host.name : change.rename,
      group: change.move ?? change.host.group,
      ...(change.installs ? { antivirus: 'installed' } : {}),
    });
    const predicted = hosts.flatMap((host) => {
      const change = changes.find((each) => each.host === host);
      return change === undefined ? [host] : change.deletes ? [] : [outcomeOf(change)];
    });
    for (const change of findChanges(given, predicted, () => {}).changes) {
      const { rename, move, installs, deletes, name, group, antivirus, absent, host } = change;
      const isStuck = isBlocked(change) && move === undefined && !installs && !deletes;
      if (!inScope(change) || isStuck) continue;
      const claim = (rename && name) || (move && group) || (deletes && absent) || antivirus;
      const code = claim && claim.rule !== undefined ? 'rule-not-settled' : 'not-settled';
      report('error', code, claim?.line, [host]);
    }
    for (const [index, rule] of given.rules.entries()) {
      const isNamed = (each: Change) =>
        each.rename !== undefined && each.name?.rule === index && !each.name.isCompletion && !isBlocked(each);
      const faults = { count: 0 };
      const ended = changes.filter(isNamed).find((each) => {
        const answer = askRule(rule, factsOf(given, outcomeOf(each)), faults.count);
        if (answer === 'fault') faults.count += 1;
        return answer === 'no';
      });
      if (ended !== undefined) report('warning', 'rule-ends-itself', lineOf.rule(index), [ended.host]);
    }
    for (const host of predicted) {
      const temporary = readTemporaryName(host.name);
      if (temporary === undefined) continue;
      const isOurs = isProvenTemporaryName(temporary, host.id as HostId);
      report('warning', isOurs ? 'temporary-name-left' : 'lookalike-name', undefined, [host]);
    }
  }
}
