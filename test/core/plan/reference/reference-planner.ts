import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import type { ObservedHost } from '../../../../src/core/model/observed.ts';
import type { ChangeKind } from '../../../../src/core/model/policy.ts';
import { temporaryName } from '../../../../src/core/model/temporary-name.ts';
import type { PlanInputs } from '../../../../src/core/plan/types/plan-inputs.ts';
import {
  batchText,
  type PlanText,
  renameText,
  reportsOf,
  temporaryRenameText,
  undoText,
} from './plan-text.ts';
import { type Change, findChanges, nameOf, type Pending, type Wish } from './reference-differences.ts';
import { judgePlan } from './reference-judge.ts';

type Workings = ReturnType<typeof findChanges>;

const byId = (a: Wish, b: Wish) => (BigInt(a.host.id) < BigInt(b.host.id) ? -1 : 1);

/** Plans by looking at all hosts again for every question. */
export function referencePlan(inputs: PlanInputs): PlanText {
  const { observed, target, exclude = [], batchSize = 1000, installs } = inputs;
  const { report, lines } = reportsOf();
  const hosts = Array.from({ length: observed.count }, (_, index) => observed.at(index));
  const whole = findChanges(inputs, hosts, report);
  const { together } = orderRenames(inputs, hosts, whole);
  const chosen = linked(target ?? hosts.map(({ id }) => id), together);
  const left = linked(exclude, together);
  const inScope = ({ host: { id } }: Wish) => chosen.has(id) && !left.has(id);
  const changes = whole.changes.filter(inScope);
  const pending = whole.pending.filter(inScope);
  const order = orderRenames(inputs, hosts, { ...whole, changes });

  const changed = (kind: ChangeKind) => changes.filter(({ to }) => to[kind] !== undefined);
  const moved = changed('move').toSorted(byId);
  const isReported = ({ host: { id } }: Wish) => installs?.requests.get(id)?.refreshedAt !== undefined;
  const isInDoubt = ({ state }: Pending) => state === 'in-doubt';
  const asked = pending.filter((each) => isInDoubt(each) && each.host.online && !isReported(each));
  const calls = {
    rename: [...order.first, ...order.steps],
    move: [...Map.groupBy(moved, ({ to }) => to.move)].flatMap(([to, all]) =>
      batches(`move to ${to}`, all, 'move'),
    ),
    delete: batches('delete', changed('delete').toSorted(byId), 'delete'),
    antivirus: batches('antivirus', changed('antivirus'), 'antivirus'),
    refresh: batches('refresh', asked, 'antivirus'),
  };
  const inDoubt = pending.filter(isInDoubt).length;
  const isIdle = ({ host }: Wish) => ![...whole.changes, ...whole.pending].some((each) => each.host === host);
  const isAwaited = ({ entry, meant }: (typeof whole.found)[number]) =>
    entry.ensure === 'present' && meant.length === 0;
  const summary = {
    rename: order.steps.length,
    temporaryRename: order.first.length,
    move: moved.length,
    antivirus: changed('antivirus').length,
    refresh: asked.length,
    delete: changed('delete').length,
    installsInProgress: pending.length - inDoubt,
    installsInDoubt: inDoubt,
    unchanged: whole.managed.filter(isIdle).length,
    awaitingEnrollment: whole.found.filter(isAwaited).length,
    unmanaged: hosts.length - whole.managed.length,
  };
  judgePlan({ inputs, hosts, whole, changes, pending, order, summary, inScope }, report);
  return {
    steps: Object.values(calls).flat().sort(),
    summary,
    calls: Object.fromEntries(Object.entries(calls).map(([kind, all]) => [kind, all.length])),
    undo: [
      ...order.undo,
      ...moved.map(({ host, to }) => undoText('move', host.id, to.move, host.groupId)),
    ].sort(),
    problems: lines(),
  };

  function batches(what: string, all: readonly Wish[], kind: ChangeKind) {
    const members = all.map(({ host, claims }) => ({ id: host.id, line: claims[kind]?.line }));
    const parts = Map.groupBy(members, (each) => Math.floor(members.indexOf(each) / batchSize));
    return [...parts.values()].map((part) => batchText(what, part));
  }
}

/** The renames that can be made, and the temporary ones that they need. */
export function orderRenames({ deleteFirst }: PlanInputs, hosts: readonly ObservedHost[], whole: Workings) {
  const changes = whole.changes.toSorted(byId);
  const renames = changes.filter(({ to }) => to.rename !== undefined);
  const everyone = hosts.map((host) => ({ host }));
  const deletions = changes.filter(({ to }) => to.delete !== undefined);
  const target = ({ to }: Change) => fold(to.rename ?? '');
  const ownersAmong = <T extends { readonly host: ObservedHost }>(each: Change, all: readonly T[]) =>
    all.filter(({ host }) => host !== each.host && host.name !== null && fold(host.name) === target(each));
  const toDelete = (each: Change) => ownersAmong(each, deletions);
  const waitsFor = (each: Change) =>
    ownersAmong(each, renames).filter((other) => target(other) !== target(each));
  const leaving = (each: Change) => [...waitsFor(each), ...toDelete(each)];
  const idsOf = (all: readonly Change[]) => all.map(({ host: { id } }) => id);
  const conflicts = renames.flatMap((rename) => {
    const staying = everyone.filter(({ host }) => leaving(rename).every((each) => each.host !== host));
    return ownersAmong(rename, staying).map(({ host: owner }) => ({ rename, owner }));
  });
  const stuck = linked(
    conflicts.map(({ rename }) => rename.host.id),
    renames.map((each) => idsOf([each, ...waitsFor(each)])),
  );
  const free = renames.filter(({ host }) => !stuck.has(host.id));
  const kept = whole.found.flatMap(({ entry }) => (entry.ensure === 'present' ? (entry.name ?? '') : ''));
  const wanted = [...kept, ...whole.wishes.map((wish) => nameOf(wish) ?? '')];
  const taken = new Set([...hosts.map(({ name }) => name ?? ''), ...wanted].map(fold));
  const temporary = free.flatMap((each) => {
    const cycle = free.filter((other) => comesTo(each, other) && comesTo(other, each));
    const first = cycle[0] === each ? [temporaryFor(each, 'rename', each.to.rename ?? '')] : [];
    const owners = deleteFirst ? [] : toDelete(each);
    return [...first, ...owners.map((owner) => temporaryFor(owner, 'deletion', owner.host.name ?? ''))];
  });
  const temporaryNameOf = (host: ObservedHost) => temporary.find((each) => each.host === host)?.to;
  const firstStep = ({ host, to }: Change) => {
    const last = to.delete === undefined ? `rename ${host.id}` : 'delete';
    return temporaryNameOf(host) === undefined ? last : `temporary-rename ${host.id}`;
  };
  const steps = free.map((each) => {
    const { host, to, claims } = each;
    const own = temporaryNameOf(host) === undefined ? [] : [each];
    const from = temporaryNameOf(host) ?? host.name;
    const after = [...leaving(each), ...own].map(firstStep);
    return renameText({ id: host.id, from, to: to.rename ?? '', line: claims.rename?.line }, after);
  });
  return {
    first: temporary.map(({ text }) => text),
    steps,
    conflicts,
    blocked: renames.filter(({ host }) => stuck.has(host.id)),
    together: free.map((each) => idsOf([each, ...leaving(each)])),
    undo: free.flatMap(({ host, to }) =>
      host.name === null ? [] : [undoText('rename', host.id, to.rename, host.name)],
    ),
  };

  function temporaryFor({ host, claims }: Change, kind: 'rename' | 'deletion', name: string) {
    const to = temporaryName(kind, host.id, name, { taken });
    taken.add(fold(to));
    const why = kind === 'rename' ? 'cycle' : kind;
    const { line } = claims[kind === 'rename' ? kind : 'delete'] ?? {};
    return { host, to, text: temporaryRenameText({ id: host.id, from: host.name, to, line }, why) };
  }

  /** Does the first wait for the second, or for one that does? */
  function comesTo(from: Change, to: Change): boolean {
    const seen = new Set(waitsFor(from));
    for (const each of seen) for (const next of waitsFor(each)) seen.add(next);
    return seen.has(to);
  }
}

/** These, and all in the same set with them, directly or through others. */
function linked(ids: Iterable<string>, sets: readonly (readonly string[])[]): ReadonlySet<string> {
  const all = new Set(ids);
  const more = sets.filter((each) => each.some((id) => all.has(id))).flat();
  return more.every((id) => all.has(id)) ? all : linked([...all, ...more], sets);
}
