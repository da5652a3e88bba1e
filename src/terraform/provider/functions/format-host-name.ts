import { foldName } from '../../../core/model/host-name.ts';
import { matchName, readNamePattern } from '../../../core/model/name-pattern.ts';
import { defineFunction } from '../../protocol/provider/provider-function.ts';

export const formatHostName = defineFunction({
  summary: 'Builds a host name from fields',
  description:
    'The inverse of `parse_host_name`: `format_host_name("{site}-{role}", { site = "BER", role = "WEB" })` is `"BER-WEB"`. A field that is missing or empty is an error.',
  parameters: [
    { name: 'pattern', type: 'string', description: 'Text and `{fields}`, with text between two fields.' },
    { name: 'fields', type: { map: 'string' }, description: 'The values of the fields, by name.' },
  ],
  returns: 'string',
  call: ([source, fields]) => {
    const pattern = readNamePattern(source);
    if (!pattern.ok) return { error: pattern.fault, argument: 0 };
    const missing = pattern.value.flatMap((each) =>
      each.kind === 'field' && (!Object.hasOwn(fields, each.name) || fields[each.name] === '')
        ? [each.name]
        : [],
    );
    if (missing.length > 0)
      return { error: `no value for ${missing.map((name) => `{${name}}`).join(', ')}`, argument: 1 };
    return {
      value: pattern.value
        .map((each) => (each.kind === 'text' ? each.text : (fields[each.name] ?? '')))
        .join(''),
    };
  },
});

export const parseHostName = defineFunction({
  summary: 'Splits a host name into fields',
  description:
    'Returns the fields of a name that matches a pattern: `parse_host_name("BER-WEB-01", "{site}-{role}-{number}")` is `{ site = "BER", role = "WEB", number = "01" }`. Each field is at least one character long and ends where the text after it first occurs; the last field takes the rest. Returns null if the name does not match, so you can test the result with `!= null` or replace it with `coalesce`.',
  parameters: [
    { name: 'name', type: 'string', description: 'The name.' },
    { name: 'pattern', type: 'string', description: 'Text and `{fields}`, with text between two fields.' },
  ],
  returns: { map: 'string' },
  call: ([name, source]) => {
    const pattern = readNamePattern(source);
    return pattern.ok ? { value: matchName(name, pattern.value) } : { error: pattern.fault, argument: 1 };
  },
});

export const hostNameConflicts = defineFunction({
  summary: "Finds names that can't be in one account",
  description:
    'Names are unique in an account, and the service may treat names that differ only in letter case as the same. Returns the groups of names that conflict, or an empty list. Use it in a `check` or a `precondition` before you rename hosts.',
  parameters: [{ name: 'names', type: { list: 'string' }, description: 'The names that hosts should have.' }],
  returns: { list: { list: 'string' } },
  call: ([names]) => ({
    value: [...Map.groupBy(names, foldName).values()].filter((alike) => alike.length > 1),
  }),
});
