import type { GroupIntent, Observed } from '../../../core/model/observed.ts';
import { problem } from '../../../core/problem/problem.ts';
import { composedGroup, composedHost } from '../../../input/writing/composed-draft.ts';
import { draftFleet } from '../../../input/writing/draft-fleet.ts';
import { planFleet } from '../../fleet/plan-fleet.ts';
import type { ImportReply } from '../../protocol/provider/resource.ts';
import { completeValue } from '../../protocol/rules/complete.ts';
import type { RecordValue } from '../../protocol/value/value.ts';
import { type ProviderService, toDiagnostics } from '../service.ts';
import { idOf, optionsFor, textOf } from './fleet-options.ts';
import { fleetSchema } from './fleet-schema.ts';
import { type FleetResourceState, type FleetValues, valuesOf } from './fleet-values.ts';

/** The live fleet as a desired state of `host` blocks, whose plan is empty. */
export async function importFleet(
  service: ProviderService,
  account: string,
  signal: AbortSignal,
): Promise<ImportReply<FleetValues>> {
  const { session } = service;
  const id = idOf(service);
  if (account !== id) return { diagnostics: toDiagnostics([otherAccount(account, id)]) };
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
  const { companyId } = session.account;
  const desired = completeValue(fleetSchema, {
    ...(companyId === null ? {} : { company_id: companyId }),
    host: hostBlocks(fleet.value.frozen(), companyId),
  }) as FleetResourceState;
  const planned = await planFleet(textOf(desired), optionsFor(service, desired, { prior: null, signal }));
  if (!planned.ok) return { diagnostics: toDiagnostics(planned.problems) };
  const applied_at = new Date(session.clock.now()).toISOString();
  return {
    state: { ...desired, id, ...valuesOf(planned.value), applied_at },
    diagnostics: toDiagnostics(fleet.problems),
  };
}

/** As `rampart import` writes them, with a name or group only where configuration can contain it. */
function hostBlocks(observed: Observed, companyId: string | null): readonly RecordValue[] {
  const { groups } = draftFleet(observed, { companyId, antivirus: false });
  return groups.flatMap((group) => {
    const { intent } = composedGroup(group);
    return group.hosts.map((host): RecordValue => {
      const { id, name } = composedHost(host);
      return { id, ...(name === undefined ? {} : { name }), ...groupOf(intent) };
    });
  });
}

function groupOf(intent: GroupIntent | undefined): RecordValue {
  switch (intent?.kind) {
    case 'named':
      return { group: intent.name };
    case 'id':
      return { group_id: intent.id };
    case 'ungrouped':
      return { group_id: '-1' };
    case undefined:
      return {};
  }
}

function otherAccount(given: string, id: string) {
  return problem('account-mismatch', `the fleet ${given} is not that of the provider's credentials`, {
    hint: `import it by the id ${id}, or give the provider the credentials of the other account`,
  });
}
