import { quoted } from './words.ts';

/** A schema violation in a document, as zod reports it. */
export interface DocumentIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  /** Members that the schema does not have. */
  readonly keys?: readonly string[];
  /** The values that the schema allows. */
  readonly values?: readonly unknown[];
  /** What has a limit: a number, a text or a list. */
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** What a limit counts in a text or a list. */
const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

/** Longer lists of values help nobody. */
const mostValues = 12;

/** `"account" is missing`, `"steps.0.to" must be a text`. A schema's own messages begin with "expected". */
export function issueWords(issue: DocumentIssue): string {
  const { code, path, message, expected, keys, values } = issue;
  const where = path.length === 0 ? 'the document' : quoted(path.join('.'));
  if (message.startsWith('expected')) return `${where}: ${message}`;
  if (code === 'invalid_type') {
    if (message.endsWith('received undefined')) return `${where} is missing`;
    const kind = kinds[String(expected)];
    if (kind !== undefined) return `${where} must be ${kind}`;
  }
  if (code === 'unrecognized_keys' && keys?.[0] !== undefined)
    return `${quoted([...path, keys[0]].join('.'))} is not known`;
  if (code === 'invalid_value' && values !== undefined && values.length <= mostValues)
    return `${where} must be ${values.map((each) => JSON.stringify(each)).join(' or ')}`;
  const limit = limitWords(issue);
  return limit === undefined ? `${where} has an invalid value` : `${where} must ${limit}`;
}

function limitWords({ code, origin = '', minimum, maximum, inclusive }: DocumentIssue): string | undefined {
  const limit = code === 'too_small' ? minimum : code === 'too_big' ? maximum : undefined;
  if (limit === undefined || inclusive === false) return undefined;
  const most = `at ${code === 'too_small' ? 'least' : 'most'} ${limit}`;
  if (origin === 'number' || origin === 'int') return `be ${most}`;
  const unit = units[origin];
  return unit === undefined ? undefined : `have ${most} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}
