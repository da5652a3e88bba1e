import { joined, planFleet } from '../../fleet/plan-fleet.ts';
import { type ProviderCall, warningDiagnostic } from '../../protocol/provider/call.ts';
import type { ReadReply } from '../../protocol/provider/resource.ts';
import type { Rampart } from '../service.ts';
import { changeLines } from './change-lines.ts';
import { optionsFor, textOf } from './fleet-options.ts';
import { type FleetResourceState, type FleetValues, fleetMemoryFrom } from './fleet-values.ts';

interface FleetReading {
  readonly state: FleetResourceState;
  readonly private: unknown;
}

/**
 * Compares the fleet with the desired state of the latest apply. The changes of that apply are removed, so that the next
 * plan shows its own changes and no others.
 */
export async function readWholeFleet(
  { state: before, private: stored }: FleetReading,
  { client, signal }: ProviderCall<Rampart>,
): Promise<ReadReply<FleetValues>> {
  const state = { ...before, changes: {} };
  if (!client.service.ok) return { state };
  const service = client.service.value;
  const remembered = fleetMemoryFrom(stored);
  service.remembered = joined(service.remembered, remembered);
  const options = optionsFor(service, state, { prior: state, remembered, signal });
  const needed = await planFleet(textOf(state), { ...options, view: 'at-first' });
  if (needed.ok) return { state: { ...state, drift: changeLines(needed.value.changes) } };
  const [problem] = needed.problems;
  return {
    state,
    diagnostics: [
      warningDiagnostic('The drift of the fleet is not known', {
        detail: `The fleet can't be compared: ${problem?.message}`,
      }),
    ],
  };
}
