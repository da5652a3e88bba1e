import type { RegisterContent, RegisterRequest } from '../../core/model/register-request.ts';
import type { Result } from '../../core/problem/problem.ts';
import type { RegisterParts } from './fetch-register.ts';

/** Reads registers with the settings of the operator. What reads them is loaded with the first one. */
export function registerReader(
  parts: RegisterParts,
): (request: RegisterRequest) => Promise<Result<RegisterContent>> {
  return async (request) => {
    if ('query' in request) {
      const { fetchSqlRegister } = await import('./fetch-sql-register.ts');
      return fetchSqlRegister(request, parts);
    }
    const { fetchRegister } = await import('./fetch-register.ts');
    return fetchRegister(request, parts);
  };
}
