import { readNamePattern } from '../../../core/model/name-pattern.ts';
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
