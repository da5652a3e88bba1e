import type { PlanReview } from '../review/plan-review.ts';
import type { ShownHost } from '../review/planned-hosts.ts';

/** The data for the script of the report, as JSON. */
interface PageData {
  readonly hosts: readonly (Omit<ShownHost, keyof typeof absent> & Partial<ShownHost>)[];
  readonly problems: readonly { readonly code: string }[];
}

/** What is absent in the data of a host. Most hosts have one change, so leaving the rest out halves the file. */
const absent = {
  name: null,
  new_name: null,
  new_group: null,
  remarks: [],
  problems: [],
  online: null,
  last_seen: null,
  place: null,
  cells: [],
} as const;

/** JSON that is safe in a script element: no `<` can end the element or begin a comment, and nothing in it is invisible. */
export function toPageData({ hosts, problems }: PlanReview): string {
  const data: PageData = {
    hosts: hosts.map(({ place, ...host }) => ({
      ...host,
      // The reason of an entry has its location.
      ...(host.reason.endsWith(`:${place.line}`) ? {} : { place }),
    })),
    problems: problems.map(({ code }) => ({ code })),
  };
  return JSON.stringify(data, (_key, value: unknown) =>
    value === null || (Array.isArray(value) && value.length === 0) ? undefined : value,
  ).replaceAll(/[<\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}]/gu, escapedUnits);
}

function escapedUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

export function fromPageData(text: string): {
  readonly hosts: readonly ShownHost[];
  readonly problems: PageData['problems'];
} {
  const { hosts = [], problems = [] } = JSON.parse(text) as Partial<PageData>;
  return {
    hosts: hosts.map((host) => ({ ...absent, ...host })),
    problems,
  };
}
