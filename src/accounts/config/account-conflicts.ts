import { type Problem, problem } from '../../core/problem/problem.ts';
import type { AccountConfig } from './account-config.ts';

/** Accounts that share a name, or a company id at one address. Names that differ only in case would share files. */
export function findConflicts(accounts: readonly AccountConfig[]): readonly Problem[] {
  const problems: Problem[] = [];
  const byName = new Map<string, AccountConfig>();
  const byCompany = new Map<string, AccountConfig>();
  for (const account of accounts) {
    const { name, companyId, baseUrl = '', place } = account;
    const first = byName.get(name.toLowerCase());
    if (first === undefined) byName.set(name.toLowerCase(), account);
    else {
      problems.push(
        problem(
          'duplicate-name',
          `two accounts have the name "${name}"${first.name === name ? '' : ` (also written "${first.name}")`}`,
          {
            place,
            hint: 'give each account a name that is unique regardless of letter case',
            related: [first.place],
          },
        ),
      );
    }
    if (companyId === undefined) continue;
    const key = `${addressOf(baseUrl)} ${companyId}`;
    const earlier = byCompany.get(key);
    if (earlier === undefined) byCompany.set(key, account);
    else if (earlier.name !== name) {
      problems.push(
        problem(
          'configuration',
          `the accounts "${earlier.name}" and "${name}" have the same company id and address`,
          {
            place,
            hint: 'remove one of them, or correct its companyId',
            related: [earlier.place],
          },
        ),
      );
    }
  }
  return problems;
}

function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? baseUrl : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
