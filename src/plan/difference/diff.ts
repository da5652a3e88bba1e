import type { Desired, Entry } from '../../model/desired.ts';
import { type Facts, noFacts } from '../../model/facts.ts';
import type { HostId } from '../../model/host-id.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import { note, type Problem } from '../../problem/problem.ts';
import { type Claim, type Claimed, placeOfClaim } from '../wishes/claim.ts';
import { checkCurrentNames } from '../wishes/current-names.ts';
import { createInstallJudge } from '../wishes/installs.ts';
import { type Matching, matchEntries } from '../wishes/match.ts';
import { checkNameClaims } from '../wishes/name-claims.ts';
import { createRuleBook } from '../wishes/rule-book.ts';
import { doubtfulNameProblems, landingNotes, ruleFaultProblems } from '../wishes/rule-faults.ts';
import { collectWishes, type Wish } from '../wishes/wishes.ts';
import { withExpulsions } from '../wishes/with-expulsions.ts';
import { createGroupResolver, type GroupTarget } from './groups.ts';

/** What one host needs to be as it is wanted, and who wants it. */
export interface HostChange {
  readonly host: ObservedHost;
  /** The entry that means this host, where there is one. */
  readonly entry?: Entry;
  readonly rename?: string;
  readonly move?: GroupTarget;
  readonly antivirus: boolean;
  readonly delete: boolean;
  readonly claims: Readonly<Partial<Record<Claimed, Claim>>>;
}

export interface Diff {
  readonly matching: Matching;
  /** Every host that an entry or a rule claims: entries first, in their order. */
  readonly managed: readonly Wish[];
  /** These, and the hosts that only the policy of a group sends away. */
  readonly wishes: readonly Wish[];
  /** Only hosts that need something, in the same order. */
  readonly changes: readonly HostChange[];
  readonly problems: readonly Problem[];
}

export interface DiffInputs {
  readonly desired: Desired;
  readonly observed: Observed;
  readonly facts?: Facts;
  readonly now: string;
  readonly strict: boolean;
  /** Hosts for which a rule has no answer are left out with a warning. */
  readonly skipBlocked: boolean;
  readonly installsInProgress: ReadonlySet<HostId>;
}

export function diff(inputs: DiffInputs): Diff {
  const { desired, observed } = inputs;
  const matching = matchEntries(desired, observed, { strict: inputs.strict });
  const book = createRuleBook(desired.rules, observed, inputs.facts ?? noFacts);
  const current = checkCurrentNames(desired, matching.matches);
  const managed = collectWishes(matching, observed, book);
  const wishes = withExpulsions(managed, desired.policy, observed);
  const names = checkNameClaims(desired, wishes, observed);
  const groups = createGroupResolver(observed);
  const installs = createInstallJudge(desired, inputs.installsInProgress);
  const problems: Problem[] = [];
  const changes: HostChange[] = [];

  for (const wish of wishes) {
    const { host } = wish;
    if (current.refused.has(host.id)) continue;
    const who = wish.entry === undefined ? { host } : { host, entry: wish.entry };
    if (wish.absent !== undefined) {
      const notDue = notDueYet(desired, wish, inputs.now);
      if (notDue !== undefined) problems.push(notDue);
      else changes.push({ ...who, antivirus: false, delete: true, claims: { ensure: wish.absent } });
      continue;
    }
    const rename = renameOf(wish);
    const move = moveOf(wish);
    const antivirus = wish.antivirus !== undefined && installs.needs(host, wish.antivirus);
    if (rename === undefined && move === undefined && !antivirus) continue;
    changes.push({
      ...who,
      ...(rename === undefined ? {} : { rename: rename.to }),
      ...(move === undefined ? {} : { move }),
      antivirus,
      delete: false,
      claims: {
        ...(rename === undefined ? {} : { name: rename.claim }),
        ...(move === undefined || wish.group === undefined ? {} : { group: wish.group.claim }),
        ...(antivirus && wish.antivirus !== undefined ? { antivirus: wish.antivirus } : {}),
      },
    });
  }
  return {
    matching,
    managed,
    wishes,
    changes,
    problems: [
      ...matching.problems,
      ...ruleFaultProblems(desired, book.faults(), inputs.skipBlocked),
      ...doubtfulNameProblems(desired, book.doubtful()),
      ...landingNotes(book.landed()),
      ...current.problems,
      ...names.problems,
      ...groups.problems(),
      ...problems,
      ...installs.problems(),
    ],
  };

  function renameOf({ name, host }: Wish): Wish['name'] {
    return name !== undefined && name.to !== host.name && !names.contested.has(host.id) ? name : undefined;
  }

  function moveOf({ group, host }: Wish): GroupTarget | undefined {
    if (group === undefined) return undefined;
    const target = groups.resolve(group.wish, () => placeOfClaim(desired, group.claim, 'group'));
    return target !== undefined && target.id !== host.groupId ? target : undefined;
  }
}

function notDueYet(desired: Desired, { entry, host }: Wish, now: string): Problem | undefined {
  const after = entry?.deleteAfter;
  if (entry === undefined || after === undefined || Date.parse(after) <= Date.parse(now)) return undefined;
  return note('deletion-not-due', `"${host.name}" (${host.id}) is to be deleted after ${after}`, {
    place: desired.placeOf(entry.index, 'deleteAfter'),
    hostIds: [host.id],
  });
}
