import { hostname } from 'node:os';
import type { Subject } from '../../../api/access/identity.ts';
import type { Origin } from '../../../run/state/journal/record.ts';
import { originOf } from '../../../run/state/origin/origin-of.ts';
import { userName } from '../../../run/state/origin/read-origin.ts';

/** Who started, stopped or resumed a rollout at the server, and why. */
export function rolloutOrigin(by: Subject, reason: string): Origin {
  return originOf({
    env: { RAMPART_RUN_ACTOR: by.name },
    local: { user: userName(), host: hostname() },
    command: 'server',
    reason,
    redact: (text) => text,
  });
}
