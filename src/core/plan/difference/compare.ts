import { once } from '../../lib/once.ts';
import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import { nothingRecalled } from '../../model/install-request.ts';
import type { NumberRange } from '../../model/numbered-name.ts';
import type { HostId, Observed, ObservedHost } from '../../model/observed.ts';
import { note, type Problem } from '../../problem/problem.ts';
import { type Claim, type Claimed, placeOfClaim } from '../intents/claim.ts';
import { checkCurrentNames } from '../intents/current-names.ts';
import { fleetFacts, hostKeysOf } from '../intents/fleet-facts.ts';
import { createGroupResolver, type GroupTarget, sendsHostsAway } from '../intents/groups.ts';
import { createInstallJudge, type PendingHost } from '../intents/installs.ts';
import { collectIntents, type Intent, intentOfMatch } from '../intents/intents.ts';
import { matchEntries } from '../intents/match.ts';
import { type Matching } from '../intents/matching.ts';
import { checkNameClaims, claimedTemporaryNames, undisputedNames } from '../intents/name-claims.ts';
import { nextNames } from '../intents/next-names.ts';
import { createRuleBook } from '../intents/rule-book.ts';
import {
  completionNotes,
  doubtfulNameProblems,
  ruleFaultProblems,
  ruleGuessProblems,
  ruleUnknownProblems,
  undecidedHosts,
} from '../intents/rule-faults.ts';
import { ruleSuccessorProblems } from '../intents/successors.ts';
import { withExpulsions } from '../intents/with-expulsions.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';

/** The changes that one host needs, and their origin. */
export interface HostDifference {
  readonly host: ObservedHost;
  /** The index of the entry for this host, if there is one. */
  readonly entryIndex?: number | undefined;
  readonly rename?: string | undefined;
  readonly move?: GroupTarget | undefined;
  readonly antivirus: boolean;
  readonly delete: boolean;
  readonly claims: { readonly [attribute in Claimed]?: Claim | undefined };
}

export interface Diff {
  readonly matching: Matching;
  /** How many hosts an entry or a rule claims. */
  readonly managedCount: number;
  /** How many of these hosts need nothing, and wait for nothing. */
  unchangedCount(): number;
  /** The intents of these hosts: entries first, in order. Computed on first use. */
  managed(): readonly Intent[];
  /** These intents, and those of hosts that only a group's policy moves out. */
  intents(): readonly Intent[];
  /** Hosts for which a rule's condition has no result. */
  undecided(): ReadonlySet<HostId>;
  /** Names that an entry or a rule requests and that could be temporary names, folded. Computed on first use. */
  reservedNames(): ReadonlySet<string>;
  /** Do the intents of each host depend on this host alone, whatever changes about other hosts? */
  readonly decidesEachHostAlone: boolean;
  /** The numbers that `next` gives to hosts. */
  readonly numbers: readonly NumberRange[];
  /** Is it certain that no live host has a name that a change requests? */
  readonly areNamesFree: boolean;
  /** Only hosts that need a change, in the same order. */
  readonly changes: readonly HostDifference[];
  /** The change of a host, if there is one. */
  changeOf(host: HostId): HostDifference | undefined;
  /** Hosts whose requested install is not visible yet, whatever else they need. */
  readonly pendingInstalls: readonly PendingHost[];
  readonly problems: readonly Problem[];
}

/** Compares the desired state with a fleet, either the one that was read or a predicted one. */
export function compare(inputs: PlanInputs, observed: Observed): Diff {
  const { desired } = inputs;
  const strict = inputs.strict ?? false;
  const keys = hostKeysOf(inputs);
  const matching = matchEntries(desired, observed, { strict, keys });
  const facts = { ...fleetFacts(inputs, observed), ...(keys === undefined ? {} : { keys }) };
  const numbers = nextNames(inputs, observed, matching, facts);
  const book = createRuleBook(desired.rules, observed, { ...facts, numbers });
  const current = checkCurrentNames(desired, matching);
  const undecided = once(() => undecidedHosts([...book.faults(), ...book.unknowns()]));
  const staysPut = !sendsHostsAway(desired.policy);
  const managed = once(() => collectIntents(matching, observed, book));
  const intents = staysPut
    ? managed
    : once(() => withExpulsions(managed(), desired.policy, observed, undecided));
  const byEntriesAlone = book.isEmpty && staysPut;
  const groups = createGroupResolver(observed);
  const installs = createInstallJudge(desired, inputs.installs ?? nothingRecalled, observed);
  const problems: Problem[] = [];
  const asked: HostDifference[] = [];
  if (byEntriesAlone) eachRestless(visit);
  else for (const intent of intents()) visit(intent);
  const names =
    (current.refused.size === 0 ? undisputedNames(asked, observed) : undefined) ??
    checkNameClaims(desired, intents(), observed);
  const changes = withoutRenamesOf(names.contested, asked);
  const byHost = once(() => {
    const found = new Map<HostId, HostDifference>();
    for (const change of changes) found.set(change.host.id, change);
    return found;
  });
  const managedCount = byEntriesAlone ? matching.count : managed().length;
  const pendingInstalls = installs.pending();
  return {
    matching,
    managedCount,
    unchangedCount,
    managed,
    intents,
    undecided,
    reservedNames: once(() => claimedTemporaryNames(desired, byEntriesAlone ? [] : intents())),
    decidesEachHostAlone:
      staysPut &&
      numbers.given().length === 0 &&
      names.contested.size === 0 &&
      matching.isByIdsAlone &&
      book.faults().length + book.unknowns().length === 0,
    numbers: numbers.given(),
    areNamesFree: names.areFree,
    changes,
    changeOf: (host) => byHost().get(host),
    pendingInstalls,
    problems: [
      ...matching.problems,
      ...ruleFaultProblems(desired, book.faults(), inputs.skipBlocked ?? false),
      ...ruleGuessProblems(desired, book.guesses()),
      ...ruleUnknownProblems(desired, book.unknowns()),
      ...ruleSuccessorProblems(desired, book.successors(), strict),
      ...doubtfulNameProblems(desired, book.doubtful()),
      ...completionNotes(book.completed()),
      ...current.problems,
      ...names.problems,
      ...groups.problems(),
      ...problems,
      ...installs.problems(),
    ],
  };

  function unchangedCount(): number {
    const onlyPending = pendingInstalls.filter(({ host }) => !byHost().has(host.id)).length;
    if (staysPut) return managedCount - changes.length - onlyPending;
    const claimed = new Set(managed().map(({ host }) => host.id));
    return managedCount - changes.filter(({ host }) => claimed.has(host.id)).length - onlyPending;
  }

  /** Skips hosts that already match their entries before making any object for them. */
  function eachRestless(visit: (intent: Intent) => void): void {
    const hostIndexes = matching.hostIndexes();
    for (let index = 0; index < hostIndexes.length; index += 1) {
      const at = hostIndexes[index] as number;
      if (at === -1 || isRefusedAt(at) || isAsIntended(index, at)) continue;
      visit(intentOfMatch({ entry: desired.at(index), host: observed.at(at) }, book));
    }
  }

  function isRefusedAt(at: number): boolean {
    return current.refused.size > 0 && current.refused.has(observed.idAt(at));
  }

  function visit(intent: Intent): void {
    const { host } = intent;
    if (current.refused.has(host.id)) return;
    if (intent.absent !== undefined) {
      const notDue = notDueYet(desired, intent, inputs.now);
      if (notDue !== undefined) problems.push(notDue);
      else asked.push(deletionOf(intent, intent.absent));
      return;
    }
    const rename = intent.name !== undefined && intent.name.to !== host.name ? intent.name : undefined;
    const move = moveOf(intent);
    const antivirus = intent.antivirus !== undefined && installs.needs(host, intent.antivirus);
    if (rename === undefined && move === undefined && !antivirus) return;
    asked.push(changeOf(intent, rename, move, antivirus));
  }

  function isAsIntended(index: number, at: number): boolean {
    if (!desired.isPlainAt(index) && setsMore(desired.at(index))) return false;
    const name = desired.nameAt(index);
    if (name !== undefined && !observed.hasNameAt(at, name)) return false;
    const group = desired.groupAt(index);
    if (group === undefined) return true;
    return groups.resolve(group, () => desired.placeOf(index, 'group'))?.id === observed.groupIdAt(at);
  }

  function moveOf({ group, host }: Intent): GroupTarget | undefined {
    if (group === undefined) return undefined;
    const target = groups.resolve(group.intent, () => placeOfClaim(desired, group.claim, 'group'));
    return target !== undefined && target.id !== host.groupId ? target : undefined;
  }
}

/** True if the entry sets anything other than a name and a group. */
function setsMore({ ensure, antivirus, ignore }: Entry): boolean {
  return ensure === 'absent' || antivirus || ignore !== undefined;
}

/** Hosts that contest one name keep their names; their other changes stay. */
function withoutRenamesOf(
  contested: ReadonlySet<HostId>,
  changes: readonly HostDifference[],
): readonly HostDifference[] {
  if (contested.size === 0) return changes;
  return changes.flatMap((change) => {
    if (change.rename === undefined || !contested.has(change.host.id)) return change;
    if (change.move === undefined && !change.antivirus) return [];
    return { ...change, rename: undefined, claims: { ...change.claims, name: undefined } };
  });
}

function deletionOf({ host, entry }: Intent, ensure: Claim): HostDifference {
  return { host, entryIndex: entry?.index, antivirus: false, delete: true, claims: { ensure } };
}

function changeOf(
  { host, entry, group, antivirus: install }: Intent,
  rename: Intent['name'],
  move: GroupTarget | undefined,
  antivirus: boolean,
): HostDifference {
  return {
    host,
    entryIndex: entry?.index,
    rename: rename?.to,
    move,
    antivirus,
    delete: false,
    claims: {
      name: rename?.claim,
      group: move === undefined ? undefined : group?.claim,
      antivirus: antivirus ? install : undefined,
    },
  };
}

function notDueYet(desired: Desired, { entry, host }: Intent, now: string): Problem | undefined {
  const after = entry?.deleteAfter;
  if (entry === undefined || after === undefined || Date.parse(after) <= Date.parse(now)) return undefined;
  return note('deletion-not-due', `the deletion of "${host.name}" (${host.id}) is due after ${after}`, {
    place: desired.placeOf(entry.index, 'deleteAfter'),
    hostIds: [host.id],
  });
}
