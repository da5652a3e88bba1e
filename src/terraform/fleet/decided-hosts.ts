import type { HostId } from '../../core/model/observed.ts';
import { compare } from '../../core/plan/difference/compare.ts';
import { createGroupResolver } from '../../core/plan/intents/groups.ts';
import type { PlanInputs } from '../../core/plan/types/plan-inputs.ts';
import { nowhere } from './small-desired.ts';

/** The attributes that a desired state sets for one host, whether the host already has them or not. */
export interface DecidedHost {
  readonly hostId: HostId;
  readonly name?: string;
  /** The id of the group; absent if no group has that name. */
  readonly group?: string;
  readonly isToGo: boolean;
}

export function decidedHosts(inputs: PlanInputs): readonly DecidedHost[] {
  const { observed } = inputs;
  const groups = createGroupResolver(observed);
  return compare(inputs, observed)
    .managed()
    .map(({ host, name, group, absent }) => {
      const target = group === undefined ? undefined : groups.resolve(group.intent, () => nowhere);
      return {
        hostId: host.id,
        ...(name === undefined ? {} : { name: name.to }),
        ...(target === undefined ? {} : { group: target.id }),
        isToGo: absent !== undefined,
      };
    });
}
