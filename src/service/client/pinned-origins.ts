import type { Environment } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { parseBaseUrl } from './base-url.ts';

export const allowedOriginsVariable = 'RAMPART_ALLOWED_ORIGINS';

/**
 * The origins to which the operator allows keys to be sent: that of RAMPART_BASE_URL, and those in
 * RAMPART_ALLOWED_ORIGINS, separated by commas or blanks. The operator controls the environment, but not the files of a
 * checkout.
 */
export function pinnedOrigins(env: Environment): Result<ReadonlySet<string>> {
  const origins = new Set<string>();
  const own = URL.parse(env['RAMPART_BASE_URL'] ?? '');
  if (own !== null) origins.add(own.origin);
  for (const text of (env[allowedOriginsVariable] ?? '').split(/[\s,]+/)) {
    if (text === '') continue;
    const url = parseBaseUrl(text);
    if (!url.ok || url.value.pathname !== '/') {
      return failed(
        problem('configuration', `${allowedOriginsVariable} has an entry that is not an origin`, {
          hint: 'write origins such as https://remote.example.com, separated by commas',
        }),
      );
    }
    origins.add(url.value.origin);
  }
  return ok(origins);
}
