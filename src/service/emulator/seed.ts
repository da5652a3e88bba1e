import { memo } from '../../core/lib/memo.ts';
import { nearest } from '../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { secondText } from './edit.ts';
import {
  type CategoryState,
  defaultAntivirus,
  defaultCompanyId,
  type FleetState,
  type GroupState,
  hostState,
  type StoredAntivirus,
  type StoredHostState,
  ungrouped,
  withVendorInstalled,
} from './fleet-state.ts';
import { readChecked } from './read-checked.ts';
import { type Seed, type SeedAntivirus, type SeedHost, seedSchema } from './seed-schema.ts';
import { readYamlSource, type YamlSource } from './yaml-source.ts';

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

type Path = readonly PropertyKey[];

/** Records a word that refers to nothing, with suggestions. */
type Misfit = (path: Path, message: string, word: string, candidates: Iterable<string>) => void;

/** Converts a well-formed seed to a fleet in which every id is unique, and every group and custom field is known. */
function toFleetState(seed: Seed, source: YamlSource, startsAt: number): Result<FleetState> {
  const later = seed.now === undefined ? 0 : startsAt - Date.parse(seed.now);
  const groups = seed.groups ?? [];
  const categories = seed.customFields ?? [];
  const problems: Problem[] = [
    ...findTwice(groups, 'groups', source),
    ...findTwice(categories, 'customFields', source),
    ...findTwice(seed.hosts, 'hosts', source),
  ];
  const findGroup = groupFinder(groups);
  const itemsOf = memo(byIdOrName);
  const hosts = seed.hosts.map((host, index) => {
    const misfit: Misfit = (path, message, word, candidates) => {
      const [near] = nearest(word, candidates);
      problems.push(
        problem('seed-invalid', message, {
          place: source.placeOf(['hosts', index, ...path]),
          ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
        }),
      );
    };
    return toHost(
      host,
      findGroup(host.group, misfit),
      toCustomFields(host.customFields ?? {}, categories, itemsOf, misfit),
      later,
    );
  });
  if (problems.length > 0) return failed(...problems);
  return ok({
    companyId: seed.companyId ?? defaultCompanyId,
    ...(seed.psk === undefined ? {} : { psk: seed.psk }),
    groups,
    categories,
    hosts,
  });
}

function findTwice(
  items: readonly { readonly id: string }[],
  list: string,
  source: YamlSource,
): readonly Problem[] {
  const first = new Map<string, number>();
  return items.flatMap(({ id }, index) => {
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, index);
      return [];
    }
    return problem('seed-invalid', `${list} has the id ${id} twice`, {
      place: source.placeOf([list, index, 'id']),
      related: [source.placeOf([list, earlier, 'id'])],
    });
  });
}

function groupFinder(groups: readonly GroupState[]): (intent: SeedHost['group'], misfit: Misfit) => string {
  const ids = new Set([ungrouped, ...groups.map((group) => group.id)]);
  const named = Map.groupBy(groups, (group) => group.name);
  return (intent, misfit) => {
    if (intent === undefined || intent === null) return ungrouped;
    if (typeof intent === 'object') {
      if (!ids.has(intent.id)) misfit(['group'], `no group has the id ${intent.id}`, intent.id, ids);
      return intent.id;
    }
    const found = named.get(intent) ?? [];
    if (found.length !== 1) {
      const names = [...named.keys()].filter((name) => name !== null);
      const message =
        found.length === 0
          ? `group "${intent}" does not exist`
          : `${found.length} groups have the name "${intent}"`;
      misfit(['group'], message, intent, found.length === 0 ? names : []);
    }
    return found[0]?.id ?? ungrouped;
  };
}

function toCustomFields(
  fields: Readonly<Record<string, string>>,
  categories: readonly CategoryState[],
  itemsOf: typeof byIdOrName,
  misfit: Misfit,
): Readonly<Record<string, string>> {
  const pairs = Object.entries(fields).flatMap(([categoryName, valueName]): readonly [string, string][] => {
    const path = ['customFields', categoryName];
    const category = categories.find(({ id }) => id === itemsOf(categories).get(categoryName));
    if (category === undefined) {
      misfit(path, `custom field "${categoryName}" does not exist`, categoryName, namesOf(categories));
      return [];
    }
    const value = itemsOf(category.values).get(valueName);
    if (value === undefined) {
      misfit(path, `${category.name} has no value "${valueName}"`, valueName, namesOf(category.values));
      return [];
    }
    return [[category.id, value]];
  });
  return Object.fromEntries(pairs);
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The ids by their own words and by their names. An id comes before a name, and an item before the next. */
function byIdOrName(items: readonly Named[]): ReadonlyMap<string, string> {
  const words = [
    ...items.map(({ id }) => [id, id] as const),
    ...items.map(({ id, name }) => [name, id] as const),
  ];
  return new Map(words.reverse());
}

function namesOf(items: readonly Named[]): readonly string[] {
  return items.map((item) => item.name);
}

function toHost(
  host: SeedHost,
  groupId: string,
  customFields: Readonly<Record<string, string>>,
  later: number,
): StoredHostState {
  const whole = hostState({ id: host.id, name: host.name ?? null });
  return {
    ...whole,
    groupId,
    customFields,
    online: host.online ?? whole.online,
    computerName: host.computerName === undefined ? whole.computerName : host.computerName,
    stateChangedAt:
      later === 0 || host.stateChangedAt === undefined
        ? (host.stateChangedAt ?? whole.stateChangedAt)
        : secondText(Date.parse(host.stateChangedAt) + later),
    inSession: host.inSession ?? whole.inSession,
    antivirus: toAntivirus(host.antivirus),
    ...(host.inventory === undefined ? {} : { inventory: withoutGaps(host.inventory) }),
  };
}

function toAntivirus(written: SeedAntivirus | undefined): StoredAntivirus {
  if (written === undefined) return defaultAntivirus;
  const { installEndsAt, ...facts } = written;
  const base = facts.installed === true ? withVendorInstalled(defaultAntivirus) : defaultAntivirus;
  return {
    ...base,
    ...withoutGaps(facts),
    installEndsAt: installEndsAt === undefined ? null : Date.parse(installEndsAt),
  };
}

type WithoutGaps<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutGaps<T extends object>(value: T): WithoutGaps<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as WithoutGaps<T>;
}
