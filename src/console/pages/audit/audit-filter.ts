import type { Query } from '../../data/api.ts';

/** The parameters of the address that filter the audit log. */
export const filterNames = ['q', 'account', 'by', 'kind', 'from', 'to'] as const;

/** The query of the API. Local times of the address become UTC. */
export function auditQueryOf(get: (name: string) => string): Query {
  return {
    q: get('q'),
    account: get('account'),
    by: get('by'),
    kind: get('kind'),
    from: utcTime(get('from')),
    to: utcTime(get('to')),
  };
}

/** `2026-11-23T08:00` in the reader's zone as a time in UTC; null if it is no time. */
function utcTime(local: string): string | null {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** `run-started` as `run started`. */
export function kindText(kind: string): string {
  return kind.replaceAll('-', ' ');
}
