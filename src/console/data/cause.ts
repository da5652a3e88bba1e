import type { Cause } from '../../api/accounts.ts';
import { useResource } from './resource.ts';

/** A cause by its id; undefined while it is read, or if no account has it any more. */
export function useCause(id: string): Cause | undefined {
  const { value } = useResource<{ readonly items: readonly Cause[] }>(id === '' ? null : '/causes', {
    query: { id },
    when: ({ type }) => type === 'account.changed',
  });
  return value?.items.find((each) => each.id === id);
}
