import { LearnedPace, type Sending } from '../../src/service/client/pace.ts';
import type { Sender } from './simulate.ts';

/** Rampart's own. */
export function adaptive(): Sender {
  const pace = new LearnedPace();
  return {
    nextAt: () => pace.nextAt,
    sent: (now) => pace.sent(now, true),
    answered(sending, accepted, now) {
      if (accepted) pace.accepted(sending as Sending, now);
      else pace.refused(sending as Sending, now);
    },
  };
}
