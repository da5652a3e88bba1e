import { describe, expect, test } from 'vitest';
import { assetServer } from '../../given/asset-server.ts';
import { rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const hosts = [
  { id: '1', name: 'DESKTOP-1' },
  { id: '2', name: 'DESKTOP-2' },
];
const content = (table: string) => `version: 1
tables: [{ name: asset, ${table}, key: host, join: host.id }]
rules: [{ name: names, when: "true", rename: "\${asset.name}" }]
`;
const fromFile = content('file: assets.csv');
const fromRegister = content('source: cmdb, path: rows');

describe('the tables of a rampart_fleet', () => {
  test('are files of the configuration, under the paths in the content', async () => {
    const calls = resourceCalls(await rampartCore({ hosts }), 'rampart_fleet');
    const config = { content: fromFile, tables: { 'assets.csv': 'host,name\n1,BER-1\n2,BER-2\n' } };
    expect((await calls.validate(config)).errors).toEqual([]);
    const { errors, planned } = await calls.plan({ config });
    expect(errors).toEqual([]);
    expect(planned).toMatchObject({ summary: expect.stringContaining('2 renames') });
  });

  test.each<[string, Readonly<Record<string, string>> | null, string]>([
    ['are missing', null, 'tables are not supported here'],
    ['have another path', { 'other.csv': 'host,name\n' }, 'tables has no "assets.csv"'],
    ['are cut off', { 'assets.csv': 'host,name\n1,BER-1\n2' }, 'the row has 1 cell'],
  ])('refuse the plan if they %s', async (_, tables, expected) => {
    const core = await rampartCore({ hosts });
    const { errors } = await resourceCalls(core, 'rampart_fleet').validate({ content: fromFile, tables });
    expect(errors.join('\n')).toContain(expected);
  });

  test("can't be used in blocks", async () => {
    const core = await rampartCore({ hosts });
    const config = { host: [{ id: '1', name: 'A' }], tables: { 'a.csv': '' } };
    const { errors } = await resourceCalls(core, 'rampart_fleet').validate(config);
    expect(errors.join('\n')).toContain('`tables` has the files that `content` names');
  });

  test('can come from a register of the operator, which only a plan reads, once', async () => {
    let status = 200;
    const rows = hosts.map(({ id }) => ({ host: id, name: `BER-${id}` }));
    const register = await assetServer((_, { headers }) => ({
      status: headers.authorization === 'Bearer s3cret' ? status : 401,
      body: rows,
    }));
    const env = {
      RAMPART_SOURCE_CMDB_URL: register.url,
      RAMPART_SOURCE_CMDB_HEADER: 'Authorization: Bearer s3cret',
    };
    const calls = resourceCalls(await rampartCore({ hosts }, { env }), 'rampart_fleet');
    const config = { content: fromRegister };
    expect((await calls.validate(config)).errors).toEqual([]);
    expect(register.asked).toEqual([]);
    const { errors, planned } = await calls.plan({ config });
    expect(errors).toEqual([]);
    expect(planned).toMatchObject({ summary: expect.stringContaining('2 renames') });
    await calls.plan({ config });
    expect(register.asked).toEqual(['GET /rows']);

    status = 404;
    const failing = await rampartCore({ hosts }, { env });
    const refused = await resourceCalls(failing, 'rampart_fleet').plan({ config });
    expect(refused.errors.join('\n')).toContain('the source "cmdb" can\'t be read: it answered 404');
    expect(refused.errors.join('\n')).not.toContain('s3cret');
    expect(failing.emulator.requests).toEqual([]);
  });
});

test('blocks identify hosts by a key, as entries do', async () => {
  const serviceTag = 'ABC123';
  const core = await rampartCore({
    hosts: [{ id: '7', name: 'DESKTOP-7', inventory: { hardware: { serviceTag } } }],
  });
  const calls = resourceCalls(core, 'rampart_fleet');
  const identity = { key: 'host.inventory.hardware.serviceTag', successor: 'adopt', max_age: '30d' };
  const host = { id: '1', key: serviceTag, name: 'BER-1' };
  expect((await calls.validate({ identity, host: [host] })).errors).toEqual([]);
  const wrong = await calls.validate({ identity: { ...identity, key: 'host.nmae' }, host: [host] });
  expect(wrong.errors.join('\n')).toContain('nmae');
});
