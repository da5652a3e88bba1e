import type { Clock, Environment } from '../../../core/lib/surroundings.ts';
import type { Problem } from '../../../core/problem/problem.ts';
import type { AuditLog } from '../../../run/state/audit/audit-log.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';

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
