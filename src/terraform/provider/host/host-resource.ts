import { once } from '../../../core/lib/once.ts';
import { toHostId } from '../../../core/model/observed.ts';
import type { ImportTarget } from '../../protocol/provider/resource.ts';
import { duringPlan, kit, planning, toDiagnostics, withFleet } from '../service.ts';
import { hostSchema } from './schema.ts';

const plans = once(() => import('./plan-host.ts'));
const reading = once(() => import('./read-host.ts'));
const applying = once(() => import('./apply-host.ts'));
const deleting = once(() => import('./delete-host.ts'));

export const hostResource = kit.resource({
  schema: hostSchema,
  identity: {
    attributes: { host_id: { type: 'string', description: "The host's id.", required: true } },
    of: ({ id }) => ({ host_id: id }),
  },
  plan: (change, call) => planning(call, async () => (await plans()).planHost(change, call)),
  planDelete: (before, call) =>
    duringPlan(call, async () => (await deleting()).planHostDeletion(before, call)),
  create: async (change, call) => (await applying()).adoptHost(change, call),
  read: (before, call) => duringPlan(call, async () => (await reading()).readHost(before, call)),
  update: async (change, call) => (await applying()).updateHost(change, call),
  delete: async (before, call) => (await deleting()).deleteHost(before, call),
  import: (target, call) =>
    withFleet(call, async (fleet, { session }) => {
      const found = await session.findHost(wordOf(target), { signal: call.signal });
      if (!found.ok) return { diagnostics: toDiagnostics(found.problems) };
      const { importedState } = await import('./found-host.ts');
      return { state: importedState(found.value, fleet) };
    }),
  // The id is exact even if several groups have one name.
  leftOut: ({ group_id }) => (group_id === null ? [] : ['group']),
});

/** Digits are an id, anything else is a name. */
function wordOf(target: ImportTarget) {
  const word = target.by === 'id' ? target.id : String(target.identity['host_id'] ?? '');
  const hostId = toHostId(word);
  return hostId === undefined ? { name: word } : { hostId };
}
