import { z } from 'zod';
import type { Switches } from './switches.ts';
import { wholeNumber } from './whole-number.ts';

/** How certain a default is: shown or relied on by several clients, by one, a plausible guess, or unknown. */
type Certainty = 'high' | 'medium' | 'low' | 'unknown';

/** One behavior that the specification leaves open, or that services of this shape handle differently. */
interface Switch<T> {
  readonly usual: T;
  readonly certainty: Certainty;
  readonly meaning: string;
  /** The possible values, as a person writes them. */
  readonly values: string;
  /** Reads the value from a file or a command line. */
  readonly schema: z.ZodType<T>;
}

function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  certainty: Certainty,
  meaning: string,
): Switch<Values[number]> {
  // `--set wrongMethod=405` is a number in YAML but refers to the word.
  const schema = z.preprocess(
    (value) => (typeof value === 'bigint' ? String(value) : value),
    z.enum(values, `expected ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`),
  );
  return { usual: values[0], certainty, meaning, values: values.join(', '), schema };
}

function flag(usual: boolean, certainty: Certainty, meaning: string): Switch<boolean> {
  return { usual, certainty, meaning, values: 'true, false', schema: z.boolean('expected true or false') };
}

function milliseconds(usual: number, certainty: Certainty, meaning: string): Switch<number> {
  const schema = wholeNumber(0, 'expected milliseconds: a whole number of at least 0');
  return { usual, certainty, meaning, values: 'milliseconds', schema };
}

function limit(
  usual: number | null,
  least: 0 | 1,
  certainty: Certainty,
  meaning: string,
): Switch<number | null> {
  const schema = wholeNumber(least, `expected a whole number of at least ${least}, or null`).nullable();
  return { usual, certainty, meaning, values: 'a whole number, or null for none', schema };
}

function word(usual: string, certainty: Certainty, meaning: string): Switch<string> {
  const schema = z.string().regex(/^[a-z][a-z0-9]*$/, 'expected a word of lower-case letters and digits');
  return { usual, certainty, meaning, values: 'a lower-case word', schema };
}

/** The first value of a choice is its default: the behavior that clients of live services have seen or rely on. */
export const switchTable: { readonly [Name in keyof Switches]: Switch<Switches[Name]> } = {
  authenticationCheck: oneOf(
    ['401', 'success-false'],
    'medium',
    'The response of the authentication check to bad credentials: 401, or 200 with `success: false`.',
  ),
  customFieldsWithoutCredentials: oneOf(
    ['403', '401'],
    'medium',
    'The status of the custom-field lists when the request has no Authorization header.',
  ),
  accept: oneOf(
    ['ignored', 'enforced'],
    'high',
    'Whether an Accept header that is missing or asks for another type is refused with 400.',
  ),
  malformedBody: oneOf(
    ['415', '400'],
    'unknown',
    'The status for a body that has the right content type but is not JSON.',
  ),
  wrongMethod: oneOf(
    ['404', '405'],
    'unknown',
    'The status for a known path with another method. The connection path always answers 405.',
  ),
  connectionSegment: oneOf(
    ['either', 'connection', 'connections'],
    'unknown',
    'Which connection path exists: `connection`, `connections`, or `either`.',
  ),
  connectionErrorType: oneOf(
    ['text/html', 'application/json'],
    'medium',
    'The content type of the errors of the connection action. Their body is always JSON.',
  ),
  connectionStartsSession: flag(
    false,
    'unknown',
    'Whether a connection ticket puts the host in session immediately.',
  ),
  vendorWord: word(
    'vendor',
    'high',
    'The word for the anti-virus vendor in the install path and in two member names.',
  ),
  jsonPrefix: oneOf(
    ['custom-fields', 'everywhere', 'nowhere'],
    'medium',
    "Which responses with status 200 begin with `)]}',` and a line break.",
  ),
  hostExtras: flag(
    true,
    'high',
    'Whether the v2 lists have `hostName` and `hostStateChangeDate`, which the specification does not name.',
  ),
  maxDescriptionLength: limit(
    255,
    0,
    'unknown',
    'The longest name in UTF-16 units. A longer one is refused with 400.',
  ),
  trimDescription: flag(false, 'unknown', 'Whether a rename removes blanks at both ends of the name.'),
  blankDescription: oneOf(
    ['refused', 'accepted'],
    'unknown',
    'Whether a name that is empty or all blanks is refused with 400.',
  ),
  nameConflict: oneOf(
    ['any-case', 'exact-case'],
    'unknown',
    'Whether names that differ only in letter case or Unicode form conflict (409).',
  ),
  caseOnlyRename: oneOf(
    ['succeeds', 'conflicts'],
    'low',
    'Whether a host can change only the letter case of its own name.',
  ),
  renameToOwnName: oneOf(
    ['succeeds', 'conflicts'],
    'unknown',
    'Whether a host can be given exactly the name it has.',
  ),
  moveToUngrouped: oneOf(['accepted', 'refused'], 'low', 'Whether -1 is accepted as the target of a move.'),
  badIds: oneOf(
    ['all-or-nothing', 'rest-done'],
    'low',
    'Whether a move or a deletion that names unknown hosts changes the other hosts or nothing before it returns 400.',
  ),
  badIdsNamed: flag(true, 'medium', 'Whether this 400 response lists the unknown hosts in `hostIds`.'),
  emptyIds: oneOf(['refused', 'accepted'], 'unknown', 'Whether a call for no hosts is refused with 400.'),
  maxBatch: limit(null, 1, 'unknown', 'The maximum number of host ids in one call.'),
  tooLarge: oneOf(['400', '413'], 'unknown', 'The status for more ids than `maxBatch`.'),
  reportTokenLifeMs: milliseconds(
    60_000,
    'medium',
    'How long a report token is valid. Until it expires, no other report can be created.',
  ),
  reportReadyAfterMs: milliseconds(0, 'medium', 'How long a new report answers 404 because it is not ready.'),
  reportHosts: oneOf(
    ['pages-of-50', '50-in-all'],
    'medium',
    'Whether a report has all its hosts in pages of 50, or only the first 50.',
  ),
  hostsWithoutCustomFields: oneOf(
    ['left-out', 'listed'],
    'unknown',
    'Whether hosts with no custom field are in the list, with empty `metadata`.',
  ),
  refreshOfUnknownHost: oneOf(
    ['not-sent', 'refused'],
    'unknown',
    'Whether a status refresh of an unknown host returns an entry with `sentSuccessfully: false`, or a 400.',
  ),
  installStatus: oneOf(
    ['accepted', 'pending'],
    'unknown',
    'The status of the response to an install request that the service accepts.',
  ),
  installTakesMs: milliseconds(0, 'unknown', 'How long it takes until the details show an install.'),
  installOffline: oneOf(
    ['accepted', 'unavailable'],
    'unknown',
    'The response to an install on an offline host.',
  ),
  installUnsupported: oneOf(
    ['unavailable', 'skipped'],
    'unknown',
    'Whether one host that does not support the product makes the whole request unavailable.',
  ),
  antivirusQuota: limit(null, 0, 'unknown', 'How many installs the account has left.'),
  quotaRule: oneOf(
    ['nothing-done', 'fills-up'],
    'unknown',
    'Whether a request beyond the quota does nothing, or installs on as many hosts as fit, in the given order.',
  ),
  retryDelay: flag(true, 'medium', 'Whether a 429 body has `retryDelay`, in seconds.'),
  retryAfterHeader: flag(false, 'unknown', 'Whether a 429 has a Retry-After header.'),
  refusedCallsCount: flag(
    false,
    'unknown',
    'Whether calls that are refused, with 429 or another error, use up the rate limit too.',
  ),
};

export const defaultSwitches = Object.fromEntries(
  Object.entries(switchTable).map(([name, { usual }]) => [name, usual]),
) as unknown as Switches;
