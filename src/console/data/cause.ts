import type { Cause } from '../../api/accounts.ts';
import { useResource } from './resource.ts';

/** One of the first causes, by its id; undefined while it is read, or if it is not among them. */
export function useCause(id: string): Cause | undefined {
  const { value } = useResource<{ readonly items: readonly Cause[] }>(id === '' ? null : '/causes', {
    query: { limit: 200 },
  });
  return value?.items.find((each) => each.id === id);
}
