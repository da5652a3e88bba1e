import { quoted } from './quoted.ts';

/** A schema violation in a document, as zod reports it. */
export interface DocumentIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** `"account" is missing`, `"steps.0.to" must be a text`. A schema's own messages begin with "expected". */
export function issueWords({ code, path, message, expected }: DocumentIssue): string {
  const where = path.length === 0 ? 'the document' : quoted(path.join('.'));
  if (message.startsWith('expected')) return `${where}: ${message}`;
  if (code === 'invalid_type') {
    if (message.endsWith('received undefined')) return `${where} is missing`;
    const kind = kinds[String(expected)];
    if (kind !== undefined) return `${where} must be ${kind}`;
  }
  return `${where} has an invalid value`;
}
