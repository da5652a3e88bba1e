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
  const used = new Set<KnownDrift>();
  return {
    noteOn({ hostId, name, before, intended, attribute }) {
      const item = current.find(
        ({ host, attributes }) =>
          attributes.some((each) => each === attribute) &&
          ('id' in host
            ? host.id === hostId
            : host.name === name || (attribute === 'name' && [before, intended].includes(host.name))),
      );
      if (item === undefined) return {};
      used.add(item);
      return { known: item.reason };
    },
    problems: () =>
      items
        .filter((item) => !used.has(item))
        .map((item) => {
          const over = !current.includes(item);
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
