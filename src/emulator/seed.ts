import type { z } from 'zod';
import { type Problem, problem } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';
import type { FleetState } from './fleet-state.ts';
import { seedSchema } from './seed-schema.ts';
import { toFleetState } from './seed-to-state.ts';
import { readYamlSource, type YamlSource } from './yaml-source.ts';

/**
 * A fleet from a seed file. All problems have the code `seed-invalid` and a place.
 *
 *     companyId: 1234567890          # may be left out, as may psk, groups and customFields
 *     groups:
 *       - { id: 17, name: Berlin Servers }
 *     hosts:
 *       - id: 9007199254740993
 *         name: BER-WEB-01
 *         group: Berlin Servers      # or 17; left out: ungrouped
 *         antivirus: installed
 */
export function readSeed(text: string, file: string): Result<FleetState> {
  const source = readYamlSource(text, file);
  const { errors } = source.document;
  if (errors.length > 0) {
    return failed(
      ...errors.map((error) =>
        problem('seed-invalid', firstLine(error.message), { place: source.placeAt(error.pos[0]) }),
      ),
    );
  }
  const plain = toPlain(source);
  if (!plain.ok) return plain;
  const seed = seedSchema.safeParse(plain.value);
  if (!seed.success) return failed(...seed.error.issues.flatMap((issue) => toProblems(issue, source)));
  return toFleetState(seed.data, source);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}

/** Aliases beyond measure are refused when they are resolved. */
function toPlain(source: YamlSource): Result<unknown> {
  try {
    return ok(source.document.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    return failed(
      problem('seed-invalid', firstLine((error as Error).message), { place: source.placeOf([]) }),
    );
  }
}

function toProblems(issue: z.core.$ZodIssue, source: YamlSource): readonly Problem[] {
  const where = issue.path.length === 0 ? 'the seed' : issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      problem('seed-invalid', `${where} has no key “${key}”`, { place: source.placeOfKey(issue.path, key) }),
    );
  }
  return [problem('seed-invalid', `${where}: ${issue.message}`, { place: source.placeOf(issue.path) })];
}
