import type { AccountDetail } from '../../../api/accounts.ts';
import { isOpen, nextChange } from '../../../core/model/change-window.ts';
import type { Freeze, WindowPolicy } from '../../../core/model/policy.ts';
import { isFrozen } from '../../../core/plan/guards/time-problems.ts';
import { shownPlace } from '../../../core/problem/problem.ts';

/** A window or a freeze at one time. */
export type WindowNow = AccountDetail['windows'][number];

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
        is_open: only.some((each) => isOpen(each, now)),
        place: shownPlace(place),
        ...(changesAt === undefined ? {} : { changes_at: changesAt }),
      };
    }),
    ...freezes.map((freeze): WindowNow => {
      const changesAt = freezeChange(freeze, now);
      return {
        name: freeze.name,
        is_open: !isFrozen(freeze, now),
        place: shownPlace(freeze.place),
        ...(changesAt === undefined ? {} : { changes_at: changesAt }),
      };
    }),
  ];
}

function freezeChange({ from, until }: Freeze, now: string): string | undefined {
  return [from, until].find((each) => each !== undefined && Date.parse(each) > Date.parse(now));
}
