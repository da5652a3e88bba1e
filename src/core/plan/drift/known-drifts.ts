import type { KnownDrift } from '../../model/desired.ts';
import { type Problem, warning } from '../../problem/problem.ts';

/** The parts of a difference that show whether someone has accepted it. */
interface KnowableDifference {
  readonly hostId: string;
  readonly name: string | null;
  readonly attribute: string;
  readonly before?: string;
  readonly intended: string;
}

/** The differences that someone has accepted. */
export interface DriftRegister {
  /** The reason if someone has accepted the difference. */
  noteOn(difference: KnowableDifference): { readonly known?: string };
  /** Known-drift items that are out of date or match nothing. */
  problems(): readonly Problem[];
}

export function knownDrifts(items: readonly KnownDrift[], now: string): DriftRegister {
  const current = items.filter(({ until }) => until === undefined || Date.parse(until) > Date.parse(now));
  const order = new Map(current.map((item, index) => [item, index]));
  const ofHost = Map.groupBy(current, ({ host }) => ('id' in host ? `id ${host.id}` : `name ${host.name}`));
  const used = new Set<KnownDrift>();
  return {
    noteOn({ hostId, name, before, intended, attribute }) {
      const names = attribute === 'name' ? [name, before, intended] : [name];
      const [item] = [
        `id ${hostId}`,
        ...names.flatMap((each) => (typeof each === 'string' ? `name ${each}` : [])),
      ]
        .flatMap((key) => ofHost.get(key) ?? [])
        .filter(({ attributes }) => attributes.some((each) => each === attribute))
        .sort((a, b) => (order.get(a) as number) - (order.get(b) as number));
      if (item === undefined) return {};
      used.add(item);
      return { known: item.reason };
    },
    problems: () =>
      items
        .filter((item) => !used.has(item))
        .map((item) => {
          const over = !order.has(item);
          return warning(
            'known-drift-unused',
            over ? 'this known drift has expired' : 'this known drift does not exist',
            {
              place: item.place,
              hint: 'remove it from "knownDrift"',
            },
          );
        }),
  };
}
