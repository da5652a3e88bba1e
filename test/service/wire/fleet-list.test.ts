import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanFleetList } from '../../../src/core/columns/fleet-list/scan-fleet-list.ts';
import { type HostTable, tableOf } from '../../../src/core/columns/host-table.ts';
import { type ObservedHost, observeTable } from '../../../src/core/model/observed.ts';
import { readAnswer } from '../../../src/service/client/read-answer.ts';
import { checkHostIds } from '../../../src/service/wire/check-ids.ts';
import { fleetListReader } from '../../../src/service/wire/fleet-list-reader.ts';
import { hostId } from '../../given/fleet.ts';

type FleetList = NonNullable<ReturnType<typeof fleetListReader.fast>>;

/** A list as plain data, however its hosts are stored. */
function shown(list: unknown): unknown {
  const { groups, hosts } = list as FleetList;
  return { groups, hosts: Array.from({ length: hosts.count }, (_, index) => hosts.at(index)) };
}

const encoder = new TextEncoder();

/** The result of the contract, its schema and the full JSON reader for a body; null if they refuse it. */
function fullyRead(body: Uint8Array): unknown {
  const reader = { ...fleetListReader, fast: () => undefined };
  const reading = readAnswer(
    'listHostsWithGroups',
    { status: 200, headers: {}, body },
    { aliases: {}, holdsSecret: () => false, now: 0, reader },
  );
  return reading.ok ? shown(reading.value) : null;
}

function fastRead(body: string | Uint8Array): unknown {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const [objects, columns] = [scanFleetList(bytes), scanFleetList(bytes, 0)].map(
    (list) => list && shown(list),
  );
  expect(columns).toEqual(objects);
  return columns;
}

function bodyOf(host: string, groups = '{"id":-1,"name":null},{"id":17,"name":"Berlin"}'): string {
  return `{"groups":[${groups}],"hosts":[${host}]}`;
}

const plain = '{"description":"A","groupid":17,"id":1,"isHostOnline":true}';

const read: readonly (readonly [string, string])[] = [
  ['no hosts and no groups', '{"groups":[],"hosts":[]}'],
  ['the hosts before the groups', `{"hosts":[${plain}],"groups":[]}`],
  ['blanks everywhere', ' {\n"groups" : [ { "id" : 1 , "name" : "x" } ] , "hosts":[ ]\t}\r\n'],
  ['blanks in hosts', bodyOf('{ "description" : "A", "groupid" : 17, "id" : 1, "isHostOnline" : false }')],
  ['hosts over lines', bodyOf([plain, plain.replaceAll(',', ',\n  ')].join(',\n'))],
  ['ids at the ends of 64 bits', bodyOf(plain.replace('"id":1', '"id":-9223372036854775808'))],
  ['the largest id', bodyOf(plain.replace('"id":1', '"id":9223372036854775807'))],
  ['a group id beyond 2^53', bodyOf(plain.replace('17', '9007199254740993'))],
  ['the group of all others', bodyOf(plain.replace('17', '-1'))],
  ['the id 0', bodyOf(plain.replace('"id":1', '"id":0'))],
  ['a name of null', bodyOf(plain.replace('"A"', 'null'))],
  ['an empty name', bodyOf(plain.replace('"A"', '""'))],
  ['names beyond ASCII', bodyOf(plain.replace('"A"', '"Köln 日本 🖥"'), '{"id":1,"name":"München"}')],
  ['a name with escapes', bodyOf(plain.replace('"A"', String.raw`"a\"b\\c\/\n\u00e4\ud83d\ude00 ö"`))],
  ['half of a surrogate pair', bodyOf(plain.replace('"A"', String.raw`"\ud800"`))],
  ['a digit run in a name', bodyOf(plain.replace('"A"', '"id\\":9007199254740993,"'))],
  ['members nobody knows', bodyOf(plain.replace('{', '{"x":"y","n":-1.5e3,"t":true,"f":false,"o":null,'))],
  ['a member nobody knows after the others', bodyOf(plain.replace('}', ',"long":123456789012345678901}'))],
  ['what a live service adds', bodyOf(plain.replace('}', ',"hostName":"ä","hostStateChangeDate":null}'))],
  ['all a live service adds', bodyOf(plain.replace('}', ',"hostStateChangeDate":"2026","hostName":"h"}'))],
];

const left: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['half a list', bodyOf(plain).slice(0, -1)],
  ['text behind the list', `${bodyOf(plain)}x`],
  ['no hosts', '{"groups":[]}'],
  ['hosts twice', '{"groups":[],"hosts":[],"hosts":[]}'],
  ['another list', '{"groups":[],"hosts":[],"others":[]}'],
  ['a comma behind the last host', bodyOf(`${plain},`)],
  ['a comma behind the last member', bodyOf(plain.replace('}', ',}'))],
  ['an empty host', bodyOf('{}')],
  ['a host without an id', bodyOf(plain.replace('"id":1,', ''))],
  ['a host without a group', bodyOf(plain.replace('"groupid":17,', ''))],
  ['a host with two ids', bodyOf(plain.replace('{', '{"id":2,'))],
  ['an escaped key', bodyOf(plain.replace('"id"', String.raw`"\u0069d"`))],
  ['an id in quotation marks', bodyOf(plain.replace('"id":1', '"id":"1"'))],
  ['an id that is a fraction', bodyOf(plain.replace('"id":1', '"id":1.0'))],
  ['an id with an exponent', bodyOf(plain.replace('"id":1', '"id":1e3'))],
  ['an id beyond 64 bits', bodyOf(plain.replace('"id":1', '"id":9223372036854775808'))],
  ['an id of twenty digits', bodyOf(plain.replace('"id":1', '"id":12345678901234567890'))],
  ['an id with a zero before it', bodyOf(plain.replace('"id":1', '"id":01'))],
  ['the id -0', bodyOf(plain.replace('"id":1', '"id":-0'))],
  ['an id that is only a minus', bodyOf(plain.replace('"id":1', '"id":-'))],
  ['a name that is a number', bodyOf(plain.replace('"A"', '5'))],
  ['a flag that is a text', bodyOf(plain.replace('true', '"true"'))],
  ['a flag that is null', bodyOf(plain.replace('true', 'null'))],
  ['a control character in a name', bodyOf(plain.replace('"A"', '"a\u0001b"'))],
  ['an unknown escape', bodyOf(plain.replace('"A"', String.raw`"\x41"`))],
  ['a member with a list', bodyOf(plain.replace('}', ',"tags":[]}'))],
  ['a group with a member more', bodyOf(plain, '{"id":1,"name":"x","y":[1]}')],
];

describe('the list of hosts in one pass', () => {
  it.each(read)('reads %s as the contract does', (_, body) => {
    // The second host is read by the shape of the first, the third again by the other way if it is unusual.
    for (const copies of [1, 2, 3]) {
      const repeated = body.replace(
        /("hosts":\[)(\s*\{.*\})(?=\s*\])/s,
        (_all, start: string, hosts: string) => start + Array.from({ length: copies }, () => hosts).join(','),
      );
      const expected = fullyRead(encoder.encode(repeated));
      expect(expected).not.toBeNull();
      expect(fastRead(repeated), repeated).toEqual(expected);
    }
  });

  it.each(left)('leaves %s to the contract', (_, body) => {
    expect(fastRead(body)).toBeUndefined();
    const behindOthers = body.replace('"hosts":[{', `"hosts":[${plain},${plain},{`);
    expect(fastRead(behindOthers)).toBeUndefined();
  });

  it('leaves bytes that are not UTF-8 to the contract', () => {
    const bytes = encoder.encode(bodyOf(plain.replace('"A"', '"?"')));
    bytes[bytes.indexOf(0x3f)] = 0xff;
    expect(fastRead(bytes)).toBeUndefined();
  });

  it('reads a list in which every host is written in another way', () => {
    const orders = [
      plain,
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((key) => plain.replace('{', `{"${key}":1,`)),
    ];
    const body = bodyOf([...orders, ...orders].join(','));
    expect(fastRead(body)).toEqual(fullyRead(encoder.encode(body)));
  });

  it('is read from a part of a buffer', () => {
    const padded = encoder.encode(`xxxxx${bodyOf(plain)}yyy`);
    const part = padded.subarray(5, padded.length - 3);
    expect(fastRead(part)).toEqual(fullyRead(part));
  });

  it("gives the contract's result, or nothing, for texts that are cut, doubled and repaired at random", () => {
    const pieces = fc.constantFrom(
      ...read.map(([, body]) => body),
      ...left.map(([, body]) => body),
      bodyOf([plain, plain, plain].join(',')),
    );
    const edit = fc.record({
      at: fc.nat(400),
      drop: fc.nat(6),
      add: fc.constantFrom('', '"', '\\', ',', '{', '}', '0', '-', ' ', 'é', '\n', '"id":2,', 'null', '17'),
    });
    fc.assert(
      fc.property(pieces, fc.array(edit, { maxLength: 3 }), (body, edits) => {
        const edited = edits.reduce(
          (text, { at, drop, add }) =>
            text.slice(0, at % text.length || 0) + add + text.slice((at % text.length || 0) + drop),
          `${body} `,
        );
        const quick = fastRead(edited);
        if (quick !== undefined) expect(quick, edited).toEqual(fullyRead(encoder.encode(edited)));
      }),
      { numRuns: 1000 },
    );
  });

  it("gives the contract's result for any names and ids", () => {
    const host = fc.record({
      description: fc.option(fc.string({ unit: 'binary' })),
      groupid: fc.integer(),
      id: fc.maxSafeInteger(),
      isHostOnline: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(host, { maxLength: 8 }), fc.constantFrom(undefined, 1), (hosts, indent) => {
        const body = encoder.encode(JSON.stringify({ groups: [], hosts }, null, indent));
        expect(fastRead(body)).toEqual(fullyRead(body));
      }),
      { numRuns: 100 },
    );
  });
});

describe('hosts that are stored as bytes of their list', () => {
  const names = fc.option(
    fc.oneof(
      fc.constantFrom(
        'A',
        'a',
        'BER-01',
        'ber-01',
        'KÖLN',
        'köln',
        'Ko\u0308ln',
        'a"b',
        '\ud800',
        '',
        'x ~rampart',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
  );
  const ids = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const host = fc.record({ id: ids, name: names, groupId: fc.oneof(ids, fc.integer({ min: -1, max: 3 })) });
  /** Possible output of services: some escape non-ASCII characters, and their fields can have any order. */
  const escaped = (name: string | null) =>
    JSON.stringify(name).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  const written = fc.constantFrom<(id: bigint, name: string | null, groupId: bigint | number) => string>(
    (id, name, groupId) =>
      `{"description":${JSON.stringify(name)},"groupid":${groupId},"id":${id},"isHostOnline":true}`,
    (id, name, groupId) =>
      `{ "id": ${id}, "isHostOnline": false, "hostName": ${JSON.stringify(name)}, "description": ${escaped(name)}, "groupid": ${groupId} }`,
    (id, name, groupId) =>
      `{"hostStateChangeDate":null,"groupid":${groupId},"id":${id},\n"description":${JSON.stringify(name)},"isHostOnline":true}`,
  );

  it('have the same values as objects', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(host, written), { maxLength: 20 }), (given) => {
        const hosts = given.map(([{ id, name, groupId }, write]) => write(id, name, groupId));
        const bytes = encoder.encode(bodyOf(hosts.join(',')));
        const columns = scanFleetList(bytes, 0)?.hosts as HostTable;
        const objects = tableOf((fullyRead(bytes) as { hosts: ObservedHost[] }).hosts);
        expect(columns.count).toBe(given.length);
        expect(columns.idHashes()).toEqual(objects.idHashes());
        expect(columns.nameHashes()).toEqual(objects.nameHashes());
        for (const part of [' ~rampart', 'a', '"', '\\']) {
          expect(columns.indexesNaming(part)).toEqual(objects.indexesNaming(part));
        }
        for (const [index] of given.entries()) {
          const same = objects.at(index);
          expect(columns.at(index)).toEqual(same);
          expect(columns.idAt(index)).toBe(same.id);
          expect(columns.nameAt(index)).toBe(same.name);
          expect(columns.groupIdAt(index)).toBe(same.groupId);
          for (const [other] of given.entries()) {
            const { id, name } = objects.at(other);
            expect(columns.hasIdAt(index, id)).toBe(id === same.id);
            if (name === null) continue;
            expect(columns.hasNameAt(index, name)).toBe(name === same.name);
            expect(columns.hasNameAt(index, `${name} `)).toBe(false);
          }
        }
      }),
      { numRuns: 300 },
    ));

  it('have the ids of their groups, short and long', () => {
    const short = Array.from({ length: 1200 }, (_, index) => String(index - 100));
    const groupIds = [
      ...short,
      '10000000',
      '12345678',
      '-1234567',
      '-12345678',
      '123456789',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
    ];
    const hosts = [...groupIds, ...groupIds.toReversed()].map((groupId) => plain.replace('17', groupId));
    const columns = scanFleetList(encoder.encode(bodyOf(hosts.join(','))), 0)?.hosts as HostTable;
    expect(Array.from(hosts, (_, index) => columns.groupIdAt(index))).toEqual([
      ...groupIds,
      ...groupIds.toReversed(),
    ]);
  });

  it('have names of any length', () => {
    const long = ['A'.repeat(70_000), 'B', 'C'.repeat(0x10000), 'D', 'E'.repeat(0xffff)];
    const hosts = long.map((name, index) =>
      plain.replace('"A"', JSON.stringify(name)).replace(':1,', `:${index},`),
    );
    const columns = scanFleetList(encoder.encode(bodyOf(hosts.join(','))), 0)?.hosts;
    expect(long.map((_, index) => columns?.nameAt(index))).toEqual(long);
    expect(long.map((_, index) => columns?.nameAt(long.length - 1 - index))).toEqual(long.toReversed());
  });

  it('are found, and checked for unique ids, like objects', () => {
    const bodies = [
      [1, 2, 3],
      [1, 2, 1],
      [3, 2, 1],
    ].map((each) =>
      encoder.encode(bodyOf(each.map((id) => plain.replace('"id":1', `"id":${id}`)).join(','))),
    );
    const fleets = bodies.map((body) => {
      const { groups, hosts } = scanFleetList(body, 0) as FleetList;
      return observeTable(hosts, { takenAt: '', lists: [], groups });
    });
    expect(fleets.map((fleet) => checkHostIds(fleet).map(({ hostIds }) => hostIds))).toEqual([
      [],
      [['1']],
      [],
    ]);
    expect(fleets[0]?.byName('A')).toEqual(
      ['1', '2', '3'].map((id) => ({ id, name: 'A', groupId: '17', online: true })),
    );
    expect(fleets[0]?.byId(hostId(3))?.id).toBe('3');
    expect(fleets[0]?.withTemporaryNames()).toEqual([]);
  });
});
