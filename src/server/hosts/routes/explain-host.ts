import type { HostDetail } from '../../../api/hosts.ts';
import { attribute } from '../../../api/resource.ts';
import type { Decider } from '../../../core/plan/explain.ts';
import { shownPlace } from '../../../core/problem/problem.ts';
import type { PlannedHost } from '../../../output/review/planned-hosts.ts';
import type { ReviewAction } from '../../../output/review/reviewed-host.ts';
import type { CauseRecord } from '../../accounts/records/causes.ts';
import type { DriftRecord, HostWithFacts } from '../records/hosts.ts';
import type { AttributeClaim, HostClaims } from '../rules/explain-stored-host.ts';

type Explained = HostDetail['explain'][number];
type Attribute = DriftRecord['attribute'];

export interface LastCheck {
  readonly drift: readonly DriftRecord[];
  readonly causes: readonly CauseRecord[];
  /** The host in the open plan. */
  readonly planned: PlannedHost | undefined;
}

/**
 * What decides each attribute of a host. For a difference, that is the line or rule of the open plan, or else the cause
 * that the last check found. For other attributes it is the desired state; without that, only the fact that nothing
 * differs.
 */
export function explainHost(
  host: HostWithFacts,
  { drift, causes, planned }: LastCheck,
  claims: HostClaims | undefined,
): HostDetail['explain'] {
  const titles = new Map(causes.map((each) => [each.id, each]));
  const rowOf = (attribute: Attribute): Explained | undefined => {
    const difference = drift.find((each) => each.attribute === attribute);
    const claim = claims?.attributes.find((each) => each.attribute === claimed[attribute]);
    const overruled = overruledBy(claim);
    if (difference !== undefined) return { ...differing(difference), ...overruled };
    if (claim !== undefined) return matching(attribute, claim, overruled);
    const value = attribute === 'name' ? host.name : attribute === 'group' ? host.group : undefined;
    return value === undefined
      ? undefined
      : { attribute, value, decided_by: 'no difference from the desired state' };
  };
  const rows = attribute.options.flatMap((each) => rowOf(each) ?? []);
  const isDifferent = ({ attribute }: Explained) => drift.some((each) => each.attribute === attribute);
  return [...rows.filter(isDifferent), ...rows.filter((row) => !isDifferent(row))];

  function differing({ attribute, desired, cause }: DriftRecord): Explained {
    if (planned?.action.includes(actionOf[attribute]) === true)
      return { attribute, value: desired, decided_by: planned.reason, place: { ...planned.place } };
    const found = titles.get(cause);
    return {
      attribute,
      value: desired,
      decided_by: found?.title ?? cause,
      ...(!found?.place ? {} : { place: { ...found.place } }),
    };
  }
}

/** Undefined for the presence of a host that nothing requests to delete. */
function matching(
  attribute: Attribute,
  { decidedBy, intended, undecided, ignored }: AttributeClaim,
  overruled: Pick<Explained, 'overruled'>,
): Explained | undefined {
  if (undecided !== undefined)
    return {
      attribute,
      value: null,
      decided_by: `not known here: ${undecided.why}`,
      place: shownPlace(undecided.place),
      ...overruled,
    };
  if (decidedBy !== undefined && intended !== undefined)
    return {
      attribute,
      value: intended,
      decided_by: deciderWords(decidedBy),
      place: shownPlace(decidedBy.place),
      ...overruled,
    };
  if (attribute === 'presence' && overruled.overruled === undefined) return undefined;
  const why = ignored ? 'nobody: the entry ignores it' : 'nobody: no entry or rule sets it';
  return { attribute, value: null, decided_by: why, ...overruled };
}

function overruledBy(claim: AttributeClaim | undefined): Pick<Explained, 'overruled'> {
  if (claim === undefined || claim.overruled.length === 0) return {};
  return {
    overruled: claim.overruled.map((each) => ({
      decided_by: deciderWords(each),
      place: shownPlace(each.place),
    })),
  };
}

function deciderWords({ kind, rule = '', place: { file, line } }: Decider): string {
  switch (kind) {
    case 'entry':
      return `entry at ${file}:${line}`;
    case 'rule':
      return `rule "${rule}"`;
    case 'temporary-name':
      return 'the temporary name that an earlier run left';
    case 'group':
      return 'the policy of its group';
  }
}

const claimed: Readonly<Record<Attribute, AttributeClaim['attribute']>> = {
  name: 'name',
  group: 'group',
  antivirus: 'antivirus',
  presence: 'ensure',
};

const actionOf: Readonly<Record<Attribute, ReviewAction>> = {
  name: 'rename',
  group: 'move',
  antivirus: 'install',
  presence: 'delete',
};
