import { isOpen, nextChange } from '../../../core/model/change-window.ts';
import type { Freeze, WindowPolicy } from '../../../core/model/policy.ts';
import { isFrozen } from '../../../core/plan/guards/time-problems.ts';
import type { Place } from '../../../core/problem/problem.ts';

/** A window or a freeze at one time. */
export interface WindowNow {
  readonly name: string;
  /** Whether changes are allowed. */
  readonly isOpen: boolean;
  /** When that changes next (RFC 3339); undefined if it does not. */
  readonly changesAt?: string;
  readonly place: Place;
}

interface Times {
  readonly windows: readonly WindowPolicy[];
  readonly freezes: readonly Freeze[];
}

/** All windows and freezes at a time (RFC 3339), for people. */
export function windowsNow({ windows, freezes }: Times, now: string): readonly WindowNow[] {
  return [
    ...windows.map(({ name, only, place }): WindowNow => {
      const changesAt = nextChange(only, now);
      return {
        name,
        isOpen: only.some((each) => isOpen(each, now)),
        place,
        ...(changesAt === undefined ? {} : { changesAt }),
      };
    }),
    ...freezes.map((freeze): WindowNow => {
      const changesAt = freezeChange(freeze, now);
      return {
        name: freeze.name,
        isOpen: !isFrozen(freeze, now),
        place: freeze.place,
        ...(changesAt === undefined ? {} : { changesAt }),
      };
    }),
  ];
}

function freezeChange({ from, until }: Freeze, now: string): string | undefined {
  return [from, until].find((each) => each !== undefined && Date.parse(each) > Date.parse(now));
}
