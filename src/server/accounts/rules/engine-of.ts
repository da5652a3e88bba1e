import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import type { EngineParts } from '../../../accounts/engine/engine-parts.ts';
import type { Redaction } from '../../../core/lib/redaction.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';

/** The engine for one job of an account. Its secrets are forgotten with the job. */
export function engineOf(
  { name }: AccountConfig,
  { env, settings, clock, state, exchanges, onEvent }: JobParts,
  redaction: Redaction,
  signal: AbortSignal,
  onRefusal: () => void = () => {},
): EngineParts {
  return {
    env,
    folder: settings.folder,
    clock,
    hide: redaction.hide,
    state,
    exchanges,
    signal,
    onEvent: (event) => {
      if (event.type === 'call' && event.status === 429) onRefusal();
      onEvent?.(name, event);
    },
  };
}
