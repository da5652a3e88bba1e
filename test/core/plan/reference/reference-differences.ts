import { createFaultLimit } from '../../../../src/core/expression/running/fault-limit.ts';
import { createMatcher } from '../../../../src/core/expression/running/first-match.ts';
import type { Rule } from '../../../../src/core/model/desired.ts';
import type { Entry } from '../../../../src/core/model/entry.ts';
import type { Evaluated, ExpressionSubject } from '../../../../src/core/model/expression.ts';
import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import { nothingRecalled, pendingStateOf } from '../../../../src/core/model/install-request.ts';
import type { GroupIntent, ObservedHost } from '../../../../src/core/model/observed.ts';
import { type ChangeKind, changeKinds } from '../../../../src/core/model/policy.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../../../src/core/model/temporary-name.ts';
import type { PlanInputs } from '../../../../src/core/plan/types/plan-inputs.ts';
import { provenName, subjectsOf } from './naive-facts.ts';
import type { Report } from './plan-text.ts';

/** The request of a line: a name, a group, an install, or that the host is present or absent. */
interface Claim {
  readonly to: string | GroupIntent | true | undefined;
  readonly line: number;
  /** Absent for a claim of an entry, or of the policy of a group. */
  readonly rule?: number;
  readonly isCompletion?: true;
}

/** What one host should be. */
export interface Wish {
  readonly host: ObservedHost;
  readonly entry?: Entry | undefined;
  readonly claims: { readonly [kind in ChangeKind]?: Claim | undefined };
}

/** What a host becomes: its new name, the id of its new group, and whether it is deleted or gets the anti-virus. */
export interface Change extends Wish {
  readonly to: { readonly [kind in ChangeKind]?: string | undefined };
}

/** A host that does not show a requested install yet. */
export interface Pending extends Wish {
  readonly state: 'in-progress' | 'in-doubt';
}

type Hosts = readonly ObservedHost[];

const attributes = { name: 'rename', group: 'move', antivirus: 'antivirus' } as const;
const unnamed: Evaluated<string> = { ok: false, fault: { message: 'no name for a host' } };

function valuesOf({ group, antivirus, ensure }: Entry | Rule, rename: string | true | undefined) {
  return { rename, move: group, antivirus: antivirus || undefined, delete: ensure };
}

/** What differs between the desired state and these hosts. */
export function findChanges(inputs: PlanInputs, hosts: Hosts, report: Report = () => {}) {
  const { desired, observed, now, installs = nothingRecalled } = inputs;
  const { wishes: managed, undecided, ...matching } = findWishes(inputs, hosts, report);
  const wishOf = (host: ObservedHost) => managed.find((wish) => wish.host === host);
  const others = hosts.filter((host) => wishOf(host) === undefined).map((host) => ({ host, claims: {} }));
  const wishes = [...managed, ...others].map((wish): Wish => {
    const from = desired.policy.groups.find(
      ({ group, exclusive, othersTo }) =>
        exclusive && othersTo !== undefined && isIntruder(wish.host, groupOf(group)),
    );
    const move = from?.othersTo && { to: from.othersTo.group, line: from.othersTo.place.line };
    return move === undefined ? wish : { ...wish, claims: { ...wish.claims, move } };
  });
  const rivalsOf = (name: string) => wishes.filter((each) => fold(nameOf(each) ?? '') === fold(name));
  const isPinned = ({ entry }: Wish) => entry === undefined || entry.id !== undefined;
  const isContested = (name: string) =>
    rivalsOf(name).length > 1 && !rivalsOf(name).every((each) => isPinned(each) && isNamed(each));
  const pending: Pending[] = [];
  const changes = wishes.flatMap((wish): readonly Change[] => {
    const { host, entry, claims } = wish;
    if (entry !== undefined && hasOtherName(entry, host)) return [];
    const isDue = Date.parse(entry?.deleteAfter ?? now) <= Date.parse(now);
    if (claims.delete?.to === 'absent') return isDue ? [{ ...wish, to: { delete: '' } }] : [];
    const name = nameOf(wish);
    const group = claims.move && groupOf(claims.move.to as GroupIntent);
    const to = {
      rename: name === undefined || isNamed(wish) || isContested(name) ? undefined : name,
      move: group === host.groupId ? undefined : group,
      antivirus: needsInstall(wish) ? '' : undefined,
    };
    return Object.values(to).every((each) => each === undefined) ? [] : [{ ...wish, to }];
  });
  return { ...matching, managed, wishes, changes, pending, rivalsOf, isContested, groupOf, isIntruder };

  /** Is the host in this group, without a request for a group or a deletion? */
  function isIntruder(host: ObservedHost, group: string | undefined): boolean {
    const { move, delete: absent } = wishOf(host)?.claims ?? {};
    return host.groupId === group && move === undefined && absent?.to !== 'absent' && !undecided.has(host.id);
  }

  function groupOf(intent: GroupIntent): string | undefined {
    if (intent.kind === 'ungrouped') return '-1';
    if (intent.kind === 'id') {
      if (observed.groups.every(({ id }) => id !== intent.id)) report('warning', 'unknown-group');
      return intent.id;
    }
    const [found, ...more] = observed.groups.filter(({ name }) => name === intent.name);
    if (found === undefined) report('error', 'unknown-group');
    if (more.length > 0) report('error', 'ambiguous-group');
    return more.length > 0 ? undefined : found?.id;
  }

  function needsInstall(wish: Wish): boolean {
    const { host, claims } = wish;
    if (claims.antivirus === undefined || host.antivirus?.installed === true) return false;
    const state = pendingStateOf(host, installs, observed);
    if (state !== undefined) pending.push({ ...wish, state });
    return state === undefined && host.antivirus?.supported === true;
  }
}

export const nameOf = ({ claims }: Wish) => claims.rename?.to as string | undefined;
export const isNamed = (wish: Wish) => wish.host.name === nameOf(wish);

/** What entries and rules ask of the hosts that they manage. Rules that failed may ask something of the undecided ones. */
function findWishes(inputs: PlanInputs, hosts: Hosts, report: Report) {
  const { desired } = inputs;
  const found = Array.from({ length: desired.count }, (_, index) => {
    const entry = desired.at(index);
    return { entry, line: desired.positionOf(index).line, meant: hostsMeant(entry, hosts) };
  });
  const matchesOf = (host: ObservedHost | undefined) =>
    found.filter(({ meant }) => meant.length === 1 && meant[0] === host);
  const { ask, undecided } = askRules(inputs, hosts, report);
  const matched = found.flatMap(({ entry, line, meant: [host, ...more] }): readonly Wish[] => {
    if (host === undefined || more.length > 0 || matchesOf(host).length > 1) return [];
    if (entry.ensure === 'absent') return [{ host, entry, claims: { delete: { to: 'absent', line } } }];
    const values = valuesOf(entry, entry.name);
    const own = changeKinds.filter((kind) => values[kind] !== undefined);
    const ignored = entry.ignore?.map((each) => [attributes[each], undefined]) ?? [];
    const claims = Object.fromEntries([...own.map((kind) => [kind, { to: values[kind], line }]), ...ignored]);
    return [{ host, entry, claims: { ...ask(host, entry), ...claims } }];
  });
  const ruled = hosts
    .filter((host) => found.every(({ meant }) => !meant.includes(host)))
    .map((host) => ({ host, claims: ask(host) }));
  const wishes = [...matched, ...ruled.filter(({ claims }) => Object.keys(claims).length > 0)];
  return { wishes, undecided, found, matchesOf };
}

/** An entry with an id matches that host. Without one, its names decide, the present one first. */
function hostsMeant({ id, name = '', previously, ensure }: Entry, hosts: Hosts): Hosts {
  if (id !== undefined) return hosts.filter((host) => host.id === id);
  const kind = ensure === 'absent' ? 'deletion' : 'rename';
  const means = [
    (host: ObservedHost) => host.name === name,
    (host: ObservedHost) => previously.includes(host.name ?? ''),
    (host: ObservedHost) => [name, ...previously].some((each) => hasTemporary(host, kind, each)),
  ];
  return means.map((test) => hosts.filter(test)).find(({ length }) => length > 0) ?? [];
}

export function hasTemporary(host: ObservedHost, kind: 'rename' | 'deletion', name: string): boolean {
  const temporary = readTemporaryName(host.name);
  return temporary !== undefined && isTemporaryNameFor(temporary, kind, host.id, name);
}

/** Has the host another name than its entry expects? Then nothing is done to it. */
export function hasOtherName({ current, name = current, ensure }: Entry, host: ObservedHost): boolean {
  if (current === undefined || name === undefined) return false;
  const kinds = ensure === 'absent' ? (['rename', 'deletion'] as const) : (['rename'] as const);
  return ![current, name].some(
    (each) => host.name === each || kinds.some((kind) => hasTemporary(host, kind, each)),
  );
}

/** Evaluates all rules for one host after another. For each kind of change, the first rule that requests it decides. */
function askRules(inputs: PlanInputs, hosts: Hosts, report: Report) {
  const { rules, placeOfRule } = inputs.desired;
  const subjectOf = subjectsOf(inputs, hosts);
  const matchers = rules.map(({ when }) => createMatcher([when]));
  const named = rules.map(({ rename: template }) => ({ template, limit: createFaultLimit() }));
  const undecided = new Set<string>();
  const noAnswer = inputs.skipBlocked ? 'warning' : 'error';
  const claim = (rule: number, to: Claim['to']) => ({ to, line: placeOfRule(rule).line, rule });
  return { ask, undecided };

  function ask(host: ObservedHost, entry?: Entry): Wish['claims'] {
    const subject = subjectOf(host);
    const own = entry === undefined ? undefined : valuesOf(entry, entry.name);
    const claims: { [kind in ChangeKind]?: Claim } = {};
    const taken = new Set<ChangeKind>();
    const blocked = new Set<ChangeKind>();
    let hasFailed = false;
    for (const [index, matcher] of matchers.entries()) {
      const rule = rules[index] as Rule;
      const { line } = placeOfRule(index);
      const values = valuesOf(rule, rule.rename && true);
      const open = changeKinds.filter(
        (kind) => values[kind] !== undefined && own?.[kind] === undefined && !taken.has(kind),
      );
      const { matches, faults, guessed } = matcher(subject);
      const isUnknown = faults[0]?.fault.isUnknownFact === true;
      const isFault = faults.length > 0 && !isUnknown;
      if (isFault) report(noAnswer, 'rule-without-answer', line, [host]);
      // Rules after one that failed claim nothing, because that one might have won.
      hasFailed ||= isFault;
      if (hasFailed || (isUnknown && open.length > 0)) undecided.add(host.id);
      if (hasFailed) continue;
      if (isUnknown && open.length > 0) report('note', 'unknown-facts', line, [host]);
      if (guessed.length > 0) report('warning', 'unknown-facts', line, [host]);
      for (const kind of open) {
        const isBold = kind === 'rename' || values[kind] === 'absent';
        if (isUnknown) blocked.add(kind);
        else if (matches.length > 0 && !(guessed.length > 0 && isBold)) {
          taken.add(kind);
          if (!blocked.has(kind)) claims[kind] = claim(index, values[kind]);
        }
      }
    }
    if (claims.delete?.to === 'absent') return { delete: claims.delete };
    const { rename } = claims;
    const first = rules.findIndex((rule) => rule.rename !== undefined);
    const temporary = provenName(host);
    if (rename?.rule !== undefined)
      return { ...claims, rename: { ...rename, to: nameBy(rename.rule, subject) } };
    if (hasFailed || own?.rename !== undefined || first === -1 || temporary?.kind !== 'rename') return claims;
    // If no rule names a host that has a temporary name, it gets its final name.
    report('note', 'temporary-name-left', undefined, [host]);
    return { ...claims, rename: { ...claim(first, temporary.shown), isCompletion: true } };
  }

  function nameBy(index: number, subject: ExpressionSubject): string | undefined {
    const { line } = placeOfRule(index);
    const { template, limit } = named[index] as (typeof named)[number];
    const made = limit.ask(() => {
      const name = template?.begin()(subject) ?? unnamed;
      const isName = !name.ok || (name.value.trim() !== '' && readTemporaryName(name.value) === undefined);
      return isName ? name : unnamed;
    });
    const isLeftOut = !made.ok && made.fault.isUnknownFact === true && template?.columns !== undefined;
    if (isLeftOut) report('warning', 'unknown-facts', line, [subject]);
    else if (!made.ok) report(noAnswer, 'rule-without-answer', line, [subject]);
    else if (made.value !== made.value.trim()) report('warning', 'suspicious-name', line, [subject]);
    return made.ok ? made.value : undefined;
  }
}
