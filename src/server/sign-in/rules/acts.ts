import type { Subject } from '../../../api/access/grants.ts';
import type { Clock, Environment } from '../../../core/lib/surroundings.ts';
import { failed, ok, type Problem, type Result } from '../../../core/problem/problem.ts';
import type { AuditLog } from '../../../run/state/audit/audit-log.ts';
import type { AuditEntry, AuditKind } from '../../../run/state/audit/audit-record.ts';
import { safeReason, safeWord } from '../../../run/state/origin/safe-text.ts';
import { auditAtEnd } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import { createRateLimiter } from './rate-limit.ts';

/** What signing in needs from the rest of the server. */
export interface LoginParts {
  readonly settings: ServerSettings;
  readonly store: Pick<Store, 'sessions' | 'tokens' | 'tickets'>;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly env: Environment;
  /** Called with each secret as soon as it is known, so that no output shows it. */
  readonly hide: (secrets: readonly string[]) => void;
  /** The address at which people reach the server, without a slash at the end. */
  readonly url: () => string;
  /** Called with a new login link, only without `login:`; it must be shown to the operator and to nobody else. */
  readonly onLink?: (url: string) => void;
  /** Failures that no response can show in full: a provider that is down, an audit log that can't be written. */
  readonly onProblem?: (problem: Problem) => void;
}

export interface Act {
  readonly kind: AuditKind;
  readonly by: Subject;
  /** The address of the other end of the connection. */
  readonly from: string;
  /** What was done, as plain JSON without secrets. */
  readonly what: Readonly<Record<string, unknown>>;
  readonly reason?: string | undefined;
}

/** The audit log of what people, tokens and pipelines do through the server. */
export interface Acts {
  /** Appends to the audit log; an act that can't be recorded must not happen. */
  record(...acts: readonly Act[]): Promise<Result<null>>;
  /** Records an act that happens only if this transaction commits. It fails if the act can't be recorded. */
  recordWithin(transaction: StoreDb, act: Act): void;
  /**
   * Records a refusal, at a limited rate for each sender, so that nobody can fill the log. Failures are reported and do
   * not matter to the caller.
   */
  recordRefusal(act: Act): Promise<void>;
}

/** Refusals of one sender, and of all together. */
const senderLimit = { burst: 20, perSecond: 1 / 60 };
const totalLimit = { burst: 200, perSecond: 1 / 6 };

export function createActs({
  audit,
  clock,
  onProblem,
}: Pick<LoginParts, 'audit' | 'clock' | 'onProblem'>): Acts {
  const perSender = createRateLimiter(senderLimit, () => clock.now());
  const total = createRateLimiter(totalLimit, () => clock.now());
  /** Refusals since the last one that was recorded. */
  let unrecorded = 0;

  async function append(entries: readonly AuditEntry[]): Promise<Result<null>> {
    const written = await audit.append(clock, entries);
    if (written.ok) return ok(null);
    written.problems.forEach((each: Problem) => onProblem?.(each));
    return failed(...written.problems);
  }

  return {
    record: (...acts) => append(acts.map(entryOf)),
    recordWithin(transaction, act) {
      auditAtEnd(transaction, [entryOf(act)]);
    },
    async recordRefusal(act) {
      if (perSender.take(`${act.from} ${act.by.id}`) > 0 || total.take('all') > 0) {
        unrecorded += 1;
        return;
      }
      const more = unrecorded;
      unrecorded = 0;
      await append([entryOf(more === 0 ? act : { ...act, what: { ...act.what, unrecorded: more } })]);
    },
  };
}

function entryOf({ kind, by, from, what, reason }: Act): AuditEntry {
  const why = safeReason(reason);
  return {
    kind,
    origin: {
      actor: safeWord(by.name) ?? 'unknown',
      host: safeWord(from) ?? 'unknown',
      command: 'server',
      ...(why === undefined ? {} : { reason: why }),
    },
    what: { by: { kind: by.kind, id: safeWord(by.id) ?? '', name: safeWord(by.name) ?? '' }, ...what },
  };
}
