import type { ExpressionSubject } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import type { HostId, Observed, ObservedHost } from '../../model/observed.ts';
import { isProvenTemporaryName, readTemporaryName } from '../../model/temporary-name.ts';

/** A listed host as expressions see it. */
export interface ListedSubject extends ExpressionSubject {
  /** Its name is the final name in the host's temporary name. */
  readonly hasTemporaryName: boolean;
}

export function subjectOf(host: ObservedHost, observed: Observed, facts: Facts): ListedSubject {
  const standing = standingName(host);
  return {
    id: host.id,
    host,
    name: standing ?? host.name ?? '',
    hasTemporaryName: standing !== undefined,
    group: observed.groupById(host.groupId)?.name ?? '',
    facts,
  };
}

/**
 * The same for the hosts at indexes of the list. Values that no expression reads are not made. The list is searched
 * for temporary names once.
 */
export function subjectsAt(observed: Observed, facts: Facts): (place: number) => ListedSubject {
  const temporary = new Set(observed.withTemporaryNames().map(({ id }) => id));
  return (place) =>
    temporary.size > 0 && temporary.has(observed.idAt(place))
      ? subjectOf(observed.at(place), observed, facts)
      : new SubjectAt(place, observed, facts);
}

class SubjectAt implements ListedSubject {
  readonly hasTemporaryName = false;
  readonly facts: Facts;
  private readonly place: number;
  private readonly observed: Observed;
  private made: ObservedHost | undefined;
  private read: string | undefined;

  constructor(place: number, observed: Observed, facts: Facts) {
    this.facts = facts;
    this.place = place;
    this.observed = observed;
    this.made = undefined;
    this.read = undefined;
  }

  get id(): HostId {
    return this.observed.idAt(this.place);
  }

  get name(): string {
    this.read ??= this.observed.nameAt(this.place) ?? '';
    return this.read;
  }

  get host(): ObservedHost {
    this.made ??= this.observed.at(this.place);
    return this.made;
  }

  get group(): string {
    return this.observed.groupById(this.observed.groupIdAt(this.place))?.name ?? '';
  }
}

/** A host with a temporary name appears under its final name, so that rules match it in the middle of a rename. */
function standingName({ id, name }: ObservedHost): string | undefined {
  const temporary = name?.includes(' ~rampart') === true ? readTemporaryName(name) : undefined;
  return temporary !== undefined && isProvenTemporaryName(temporary, id) ? temporary.shown : undefined;
}
