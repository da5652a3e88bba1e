import type { HostId } from '../../../model/host-id.ts';
import { toHostId } from '../../../model/host-id.ts';
import { errorDiagnostic } from '../../protocol/provider/diagnostic.ts';
import type { ImportTarget } from '../../protocol/provider/resource.ts';
import { kit, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import { hostSchema } from './schema.ts';

export const hostResource = kit.resource({
  schema: hostSchema,
  identity: {
    attributes: { host_id: { type: 'string', description: 'The host’s id.', required: true } },
    of: ({ id }) => ({ host_id: id }),
  },
  plan: async (change, call) => (await import('./plan-host.ts')).planHost(change, call),
  planDelete: ({ state }) => ({ diagnostics: state.on_destroy === 'prevent' ? [prevented] : [] }),
  create: async (change, call) => (await import('./apply-host.ts')).adoptHost(change, call),
  read: async (reading, call) => (await import('./read-host.ts')).readHost(reading, call),
  update: async (change, call) => (await import('./apply-host.ts')).updateHost(change, call),
  delete: ({ state }, call) =>
    withService(call, async ({ broker }) => {
      if (state.on_destroy === 'prevent') return { diagnostics: [prevented] };
      if (state.on_destroy !== 'delete') return {};
      const removed = await broker.remove(state.id as HostId, { signal: call.signal });
      return { diagnostics: toDiagnostics(removed.problems) };
    }),
  import: (target, call) =>
    withService(call, async ({ session }) => {
      const found = await session.findHost(wordOf(target), { signal: call.signal });
      if (!found.ok) return { diagnostics: toDiagnostics(found.problems) };
      return { state: { id: found.value.id, host_id: found.value.id } };
    }),
});

const prevented = errorDiagnostic('The host is protected from being destroyed', {
  detail:
    'Its on_destroy is "prevent". Set it to "forget" or "delete" and apply that first, or take it out of the state with a removed block.',
  path: ['on_destroy'],
});

/** Digits are an id, anything else is a name. */
function wordOf(target: ImportTarget) {
  const word = target.by === 'id' ? target.id : String(target.identity['host_id'] ?? '');
  const hostId = toHostId(word);
  return hostId === undefined ? { name: word } : { hostId };
}
