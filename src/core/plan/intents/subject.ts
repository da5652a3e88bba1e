import type { Subject } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import { isProvenTemporaryName, readTemporaryName } from '../../model/temporary-name.ts';

/** A listed host as expressions see it. */
export interface ListedSubject extends Subject {
  /** Its name is the final name in the host's temporary name. */
  readonly hasTemporaryName: boolean;
}

export function subjectOf(host: ObservedHost, observed: Observed, facts: Facts): ListedSubject {
  const standing = standingName(host);
  return {
    host,
    name: standing ?? host.name ?? '',
    hasTemporaryName: standing !== undefined,
    group: observed.groupById(host.groupId)?.name ?? '',
    facts,
  };
}

/** The same for the host at an index of the list. Values that no expression reads are not made. */
export function subjectAt(place: number, observed: Observed, facts: Facts): ListedSubject {
  const name = observed.nameAt(place);
  return name?.includes(' ~rampart') === true
    ? subjectOf(observed.at(place), observed, facts)
    : new SubjectAt(place, name ?? '', observed, facts);
}

class SubjectAt implements ListedSubject {
  readonly hasTemporaryName = false;
  readonly name: string;
  readonly facts: Facts;
  private readonly place: number;
  private readonly observed: Observed;
  private made: ObservedHost | undefined;

  constructor(place: number, name: string, observed: Observed, facts: Facts) {
    this.name = name;
    this.facts = facts;
    this.place = place;
    this.observed = observed;
    this.made = undefined;
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
