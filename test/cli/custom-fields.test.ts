import { describe, expect, it } from 'vitest';
import { connected } from '../given/command-line.ts';

const fleet = {
  categories: [
    {
      id: 'c1',
      name: 'Site',
      values: [
        { id: 'v1', name: 'Wien' },
        { id: 'v2', name: 'esc\u001b[31m' },
        { id: 'v3', name: 'Oslo' },
      ],
    },
    { id: 'c2', name: '=Owner', values: [{ id: 'v4', name: '@SUM(A1)' }] },
  ],
  hosts: [
    { id: '9223372036854775807', name: 'A', customFields: { c1: 'v1', c2: 'v4' } },
    { id: '2', name: 'B', customFields: { c1: 'v1' } },
    { id: '3', name: 'C', customFields: { c1: 'v2' } },
    { id: '4', name: 'D' },
  ],
};

describe('custom-fields', () => {
  it('counts the hosts of each value, even if there are none', async () => {
    const { rampart, emulator } = await connected(fleet);
    const { out, err } = await rampart('hosts fields');
    expect(out).toBe(
      [
        'CATEGORY  VALUE     HOSTS',
        'Site      Wien      2',
        'Site      esc␛[31m  1',
        'Site      Oslo      0',
        '=Owner    @SUM(A1)  1',
        '',
      ].join('\n'),
    );
    expect(err).toBe('');
    expect(emulator.requests).toHaveLength(2);
  });

  it('exits with 4 if a 403 means that the credentials are wrong', async () => {
    const { rampart } = await connected(fleet, {
      faults: [
        { action: 'listCustomFields', effect: { kind: 'status', status: 403 } },
        { action: 'listCustomFieldCategories', effect: { kind: 'status', status: 403 } },
      ],
    });
    const wrong = await rampart('hosts fields', { env: { RAMPART_PSK: 'another-key' } });
    expect({ code: wrong.code, err: wrong.err }).toMatchObject({ code: 4 });
    expect(wrong.err).toContain('the service does not accept the credentials');
    expect(await rampart('hosts fields')).toExit(1, 'request that right');
  });

  it('is JSON by category', async () => {
    const { rampart } = await connected(fleet);
    const { out } = await rampart('hosts fields --json');
    expect(JSON.parse(out)).toEqual([
      {
        name: 'Site',
        hosts: 3,
        values: [
          { name: 'Wien', hosts: 2 },
          { name: 'esc\u001b[31m', hosts: 1 },
          { name: 'Oslo', hosts: 0 },
        ],
      },
      { name: '=Owner', hosts: 1, values: [{ name: '@SUM(A1)', hosts: 1 }] },
    ]);
  });

  it('is CSV of hosts by categories, without formulas', async () => {
    const { rampart } = await connected(fleet);
    const { out } = await rampart('hosts fields --format csv');
    expect(out).toBe(
      [
        "id,name,Site,'=Owner",
        "9223372036854775807,A,Wien,'@SUM(A1)",
        '2,B,Wien,',
        '3,C,esc␛[31m,',
        '4,D,,',
        '',
      ].join('\n'),
    );
    const one = await rampart('hosts fields --format csv --host B');
    expect(one.out).toBe("id,name,Site,'=Owner\n2,B,Wien,\n");
  });

  it('says where there are none at all', async () => {
    const { rampart } = await connected({ hosts: [] });
    expect((await rampart('hosts fields')).out).toBe('There are no custom fields.\n');
  });

  it('warns of ids that no category has, and counts them', async () => {
    const { rampart } = await connected({ hosts: [{ id: '1', name: 'A', customFields: { c9: 'v9' } }] });
    expect(await rampart('hosts fields')).toExit(0, 'warning[list-inconsistent]', { out: /^c9 +v9 +1$/m });
  });
});

describe('custom-fields --host', () => {
  it('shows those of one host, by name or by id', async () => {
    const { rampart, emulator } = await connected(fleet);
    const byName = await rampart('hosts fields --host A');
    expect(byName.out).toBe('CATEGORY  VALUE\nSite      Wien\n=Owner    @SUM(A1)\n');
    const before = emulator.requests.length;
    expect((await rampart('hosts fields --host 9223372036854775807')).out).toBe(byName.out);
    expect(emulator.requests.length - before).toBe(2);
  });

  it('is JSON', async () => {
    const { rampart } = await connected(fleet);
    const { out } = await rampart('hosts fields --host B --json');
    expect(JSON.parse(out)).toEqual({ id: '2', custom_fields: { Site: 'Wien' } });
  });

  it('says that a host has none, or does not exist', async () => {
    const { rampart } = await connected(fleet);
    expect((await rampart('hosts fields --host D')).out).toBe('No custom field is set for host 4.\n');
    const none = await rampart('hosts fields --host nobody');
    expect({ code: none.code, out: none.out }).toEqual({ code: 3, out: '' });
  });
});
