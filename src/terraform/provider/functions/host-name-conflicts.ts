import { foldName } from '../../../core/model/host-name.ts';
import { defineFunction } from '../../protocol/provider/provider-function.ts';

export const hostNameConflicts = defineFunction({
  summary: "Finds names that can't be in one account",
  description:
    'Names are unique in an account, and the service may treat names that differ only in letter case as the same. Returns the groups of names that conflict, or an empty list. Use it in a `check` or a `precondition` before you rename hosts.',
  parameters: [{ name: 'names', type: { list: 'string' }, description: 'The names that hosts should have.' }],
  returns: { list: { list: 'string' } },
  call: ([names]) => ({
    value: [...Map.groupBy(names, foldName).values()].filter((alike) => alike.length > 1),
  }),
});
