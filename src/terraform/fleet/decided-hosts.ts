import type { HostId } from '../../core/model/host-id.ts';
import { createGroupResolver } from '../../core/plan/intents/groups.ts';
import { collectIntents } from '../../core/plan/intents/intents.ts';
import { matchEntries } from '../../core/plan/intents/match.ts';
import { createRuleBook } from '../../core/plan/intents/rule-book.ts';
import type { FleetInputs } from './fleet-inputs.ts';
import { nowhere } from './small-desired.ts';

/** The attributes that a desired state sets for one host, whether the host already has them or not. */
export interface DecidedHost {
  readonly hostId: HostId;
  readonly name?: string;
  /** The id of the group; absent if no group has that name. */
  readonly group?: string;
  readonly isToGo: boolean;
}

export function decidedHosts({ desired, observed, facts }: FleetInputs): readonly DecidedHost[] {
  const matching = matchEntries(desired, observed, { strict: false });
  const book = createRuleBook(desired.rules, observed, facts);
  const groups = createGroupResolver(observed);
  return collectIntents(matching, observed, book).map(({ host, name, group, absent }) => {
    const target = group === undefined ? undefined : groups.resolve(group.intent, () => nowhere);
    return {
      hostId: host.id,
      ...(name === undefined ? {} : { name: name.to }),
      ...(target === undefined ? {} : { group: target.id }),
      isToGo: absent !== undefined,
    };
  });
}
