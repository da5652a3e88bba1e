import { describe, expect, it } from 'vitest';
import { parseCache } from '../../../src/service/inventory/cache-text.ts';

const host = { id: '9007199254740993', name: null };
const record = {
  kind: 'hardware',
  host_id: '7',
  fetched_at: 1,
  fields: ['ServiceTag'],
  record: '{"serviceTag":"A"}',
};
const size = { kind: 'system', capacity: null, ask: 50, carries_more: false, learnt_at: 1 };
const whole = { format_version: '1.0', hosts: [host], records: [record], sizes: [size] };

describe('an inventory as text', () => {
  it('is read completely', () => {
    expect(parseCache(JSON.stringify(whole))).toEqual({
      names: new Map([['9007199254740993', null]]),
      records: [
        {
          kind: 'hardware',
          hostId: '7',
          at: 1,
          fields: ['ServiceTag'],
          isAbsent: false,
          json: '{"serviceTag":"A"}',
        },
      ],
      sizes: [{ kind: 'system', capacity: null, ask: 50, carriesMore: false, learnedAt: 1 }],
    });
  });

  it.each([
    ['the text is not JSON', '{'],
    ['it is another JSON value', '[]'],
    ['the format is newer', JSON.stringify({ ...whole, format_version: '2.0' })],
    ['a host id is too large', JSON.stringify({ ...whole, hosts: [{ id: '9'.repeat(30), name: null }] })],
    ['a name is not text', JSON.stringify({ ...whole, hosts: [{ id: '1', name: 7 }] })],
    ['a record has an unknown inventory', JSON.stringify({ ...whole, records: [{ ...record, kind: 'x' }] })],
    ['a record is not JSON', JSON.stringify({ ...whole, records: [{ ...record, record: '{' }] })],
    ['a record is not an object', JSON.stringify({ ...whole, records: [{ ...record, record: '[1]' }] })],
    ['a time is negative', JSON.stringify({ ...whole, records: [{ ...record, fetched_at: -1 }] })],
    ['a report would carry no host', JSON.stringify({ ...whole, sizes: [{ ...size, ask: 0 }] })],
  ])('is damaged if %s', (_what, text) => expect(parseCache(text)).toBeUndefined());
});
