import { matchName, readNamePattern } from '../../../core/model/name-pattern.ts';
import { defineFunction } from '../../protocol/provider/provider-function.ts';

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
