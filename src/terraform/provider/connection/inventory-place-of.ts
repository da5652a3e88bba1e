import { resolve } from 'node:path';
import type { Environment } from '../../../core/lib/surroundings.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import { inventoryCacheOf } from '../../../run/state/shared-inventory.ts';
import type { FleetInventoryPlace } from '../../fleet/fleet-inputs.ts';
import { knownOrNull } from '../../protocol/value/value.ts';
import type { ProviderConfig } from './configuration.ts';
import type { StateOpener } from './state-opener.ts';

/**
 * Where a provider block puts the inventory: in `state_dir` if it is set, unless the environment selects the shared
 * state; otherwise in the shared state.
 */
export function inventoryPlaceOf(
  config: Pick<ProviderConfig, 'state_dir'>,
  env: Environment,
  state: StateOpener | null,
): Result<FleetInventoryPlace> {
  const given = inventoryCacheOf(env);
  if (!given.ok) return given;
  const folder = knownOrNull(config.state_dir);
  const stateDir = folder === null ? null : resolve(folder);
  const isShared =
    state?.isShared === true && given.value !== 'local' && (stateDir === null || given.value === 'state');
  return ok({ stateDir, shared: isShared ? state.open : null });
}
