import type { Result } from '../../core/problem/problem.ts';
import type { FleetState } from './fleet-state.ts';
import { readChecked } from './read-checked.ts';
import { seedSchema } from './seed-schema.ts';
import { toFleetState } from './seed-to-state.ts';
import { readYamlSource } from './yaml-source.ts';

/**
 * A fleet from a seed file, for an emulator that starts at this time (milliseconds since 1970). All problems have the code `seed-invalid` and a place.
 *
 *     companyId: 1234567890          # may be left out, as may psk, groups and customFields
 *     groups:
 *       - { id: 17, name: Berlin Servers }
 *     hosts:
 *       - id: 812340001
 *         name: BER-WEB-01
 *         group: Berlin Servers      # or 17; left out: ungrouped
 *         antivirus: installed
 */
export function readSeed(text: string, file: string, startsAt = Date.now()): Result<FleetState> {
  const source = readYamlSource(text, file);
  const seed = readChecked(source, {
    schema: seedSchema,
    code: 'seed-invalid',
    whole: 'the seed',
    keys: Object.keys(seedSchema.shape),
  });
  return seed.ok ? toFleetState(seed.value, source, startsAt) : seed;
}
