import { foldName } from '../../../../core/model/host-name.ts';
import { defineFunction } from '../../protocol/provider/provider-function.ts';

export const hostNameConflicts = defineFunction({
  summary: 'Finds names that can’t be in one account',
  description:
    'Names are unique in an account, and names that differ only in letter case may be one name to the service. Gives the groups of names that conflict, an empty list where there are none: for a `check` or a `precondition` before anything is renamed.',
  parameters: [{ name: 'names', type: { list: 'string' }, description: 'The names that hosts are to have.' }],
  returns: { list: { list: 'string' } },
  call: ([names]) => ({
    value: [...Map.groupBy(names, foldName).values()].filter((alike) => alike.length > 1),
  }),
});
