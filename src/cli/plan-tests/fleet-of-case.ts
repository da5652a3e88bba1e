import { createVirtualClock } from '../../core/lib/virtual-clock.ts';
import type { Facts } from '../../core/model/facts.ts';
import type { Observed } from '../../core/model/observed.ts';
import { readSnapshot } from '../../core/model/snapshot.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { TestFleet } from '../../input/plan-tests/plan-case.ts';
import { readNamed } from '../../input/sources/project.ts';
import { createAdaptivePacer } from '../../service/client/adaptive-pacer.ts';
import { createClient } from '../../service/client/create-client.ts';
import { createEmulator } from '../../service/emulator/emulator.ts';
import type { FleetState } from '../../service/emulator/fleet-state.ts';
import { readSeed } from '../../service/emulator/seed.ts';
import { createFleetReader } from '../../service/wire/create-fleet-reader.ts';
import { categoryNames } from '../../service/wire/custom-fields.ts';
import { readCustomFields } from '../../service/wire/read-custom-fields.ts';
import type { Context } from '../shell/context.ts';

/** A fleet to plan on, with all known facts. */
export interface TestedFleet {
  readonly observed: Observed;
  readonly facts: Facts;
}

/** Reads a snapshot, or a seed in the state that the service would show at this time (RFC 3339). */
export async function fleetOfCase(
  context: Context,
  source: TestFleet,
  now: string,
): Promise<Result<TestedFleet>> {
  if (source.kind === 'inline') return readSeeded(source.text, source.file, now);
  const read = readNamed(source.path, source.place.file, context.io.cwd);
  if (!read.ok) return failed(...read.problems.map((each) => ({ ...each, place: source.place })));
  const text = Buffer.from(read.value.bytes).toString();
  if (!/\.json$/i.test(source.path)) return readSeeded(text, source.path, now);
  return readSnapshot(text, source.path);
}

async function readSeeded(text: string, file: string, now: string): Promise<Result<TestedFleet>> {
  const state = readSeed(text, file);
  if (!state.ok) return state;
  const clock = createVirtualClock(Date.parse(now), { auto: true });
  const { exchange, credentials } = createEmulator({ state: state.value, clock });
  const { companyId, psk } = credentials;
  const client = createClient({
    exchange,
    credentials: { kind: 'basic', companyId, psk },
    clock,
    pacers: () => createAdaptivePacer({ clock }),
  });
  const observed = await createFleetReader(client, { clock }).read({ antivirus: true });
  const fields = await readCustomFields(client, { clock });
  await client.close();
  if (!observed.ok) return observed;
  if (!fields.ok) return fields;
  const { lists, categories, customFieldsOf } = fields.value;
  return ok({
    observed: observed.value,
    facts: {
      lists,
      customFieldsOf,
      // A small fleet without categories says nothing about those of the account.
      ...categoryNames(categories.length === 0 ? undefined : categories),
      inventoryOf: inventoryIn(state.value),
    },
  });
}

/** Tests know the inventory of every host immediately; a service sends it report by report. */
function inventoryIn({ hosts }: FleetState): Facts['inventoryOf'] {
  const byId = new Map<string, (typeof hosts)[number]>(hosts.map((host) => [host.id, host]));
  return (kind, id) => byId.get(id)?.inventory?.[kind];
}
