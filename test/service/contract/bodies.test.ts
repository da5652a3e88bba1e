import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../src/core/lib/exact-json.ts';
import { AvStatus, InstallVendorResponseStatus } from '../../../src/service/contract/antivirus.ts';
import { type Action, api } from '../../../src/service/contract/api.ts';
import type { Endpoint } from '../../../src/service/contract/endpoint.ts';
import { errorBody } from '../../../src/service/contract/error-body.ts';
import { hardwareFields, systemFields } from '../../../src/service/contract/inventory.ts';

/** Reads a body as the client does: exact integers first, then the schema of that status. */
function read(action: Action, status: number, json: string): unknown {
  const body = (api[action] as Endpoint).responses[status]?.body;
  if (body === null || body === undefined) throw new Error('no body in the contract');
  return body().parse(parseExactJson(new TextEncoder().encode(json)));
}

const beyond = '9007199254740993';
const largest = '9223372036854775807';

test.each<readonly [Action, number, unknown]>([
  ['checkAuthentication', 200, { success: true }],
  ['listHosts', 200, { hosts: [{ description: 'BER-WEB-01', id: 1, isHostOnline: true }] }],
  [
    'listHostsWithGroups',
    200,
    {
      groups: [
        { id: -1, name: null },
        { id: 17, name: 'Berlin' },
      ],
      hosts: [{ description: 'BER-WEB-01', groupid: 17, id: 1, isHostOnline: false }],
    },
  ],
  ['connectHost', 200, { gatewayUrl: 'https://gateway.example/1', sessionTicketId: 5 }],
  ['connectHost', 405, { message: 'The host is offline.', hostId: 7 }],
  ['createHardwareReport', 201, { token: 'abc', expires: '2018-11-05 11:35:43Z' }],
  ['readHardwareToken', 200, { token: null, expires: null }],
  [
    'readHardwareReport',
    200,
    {
      report: { token: null, expires: '2018-11-05 11:35:43Z' },
      hosts: {
        [beyond]: {
          hostId: 1,
          serviceTag: 'ABC',
          motherboard: { id: '1', chipset: 'x', memorySlots: '4' },
          processors: [{ id: '1', type: 'x', speed: '2400', numberOfCores: '8', numberOfProcessors: '1' }],
          memories: [{ size: '8', modules: '2' }],
          drives: [{ id: '1', name: 'd', diskType: 'ssd', serialNumber: 's', capacity: '1', mediaType: 'm' }],
          partitions: [
            { id: '1', drive: 'C', name: 'os', fileSystem: 'ntfs', totalSize: '9', freeSpace: '1' },
          ],
          networkConnections: [{ name: 'eth', macAddress: '00:00' }],
          displays: [{ type: 't', provider: 'p', version: 'v', date: '2018-11-05 11:35:43Z' }],
          hardwareInfo: { manufacturer: 'm', model: 'n', assetTag: 'a' },
          batteries: ['one'],
        },
      },
    },
  ],
  ['listSystemFields', 200, ['ExternalIp', 'OsType']],
  [
    'readSystemReport',
    200,
    {
      report: { token: 'abc', expires: '2018-11-05 11:35:43Z' },
      hosts: {
        '1': {
          windowsProfiles: [{ id: '1', name: 'ann', size: '5', modified: '2018-11-05 11:35:43Z' }],
          journalEntries: ['an entry'],
          localUsers: [{ id: '1', name: 'ann', status: 'ok', group: 'users' }],
          operatingSystem: { type: 'w', installDate: '2018-11-05 11:35:43Z' },
          settingTimeZone: 'UTC',
          externalIp: '192.0.2.1',
        },
      },
    },
  ],
  [
    'listCustomFieldCategories',
    200,
    { metadataCategories: [{ id: 'c', name: 'Site', values: [{ id: 'v', name: 'Berlin' }] }] },
  ],
  ['listCustomFields', 200, { hosts: [{ id: 1, metadata: [{ categoryId: 'c', valueId: 'v' }] }] }],
  ['listCustomFields', 403, { message: 'Forbidden' }],
  [
    'listAntivirusDetails',
    200,
    {
      hostGroups: [{ groupId: -1, groupName: 'Ungrouped' }],
      hosts: [
        {
          hostId: 1,
          hostDescription: 'BER-WEB-01',
          groupId: -1,
          isOnline: true,
          buildNumber: null,
          isMac: false,
          antiVirusStatus: null,
          antiVirusName: null,
          isRealTimeProtectionOn: false,
          isVirusDefinitionUpToDate: null,
          virusDefinitionVersion: null,
          lastFullScanTime: null,
          numberOfThreats: 0,
          isMultipleAntiVirusDetected: false,
          capabilities: { canReportThreatLog: true, canReportRealTimeProtectionStatus: true },
          vendorInstallSupported: true,
          hasVendorInstalled: false,
        },
      ],
    },
  ],
  ['refreshAntivirusStatus', 200, { commandStatuses: [{ targetHostId: 1, sentSuccessfully: false }] }],
  ['installAntivirus', 200, { status: InstallVendorResponseStatus.Accepted }],
])('the shapes of the specification are accepted %s %i', (action, status, body) =>
  expect(() => read(action, status, JSON.stringify(body))).not.toThrow(),
);

describe('ids stay exact to the digit', () => {
  test.each<readonly [Action, number, string, unknown]>([
    [
      'listHosts',
      200,
      `{"hosts":[{"description":null,"id":${largest},"isHostOnline":true}]}`,
      { hosts: [{ description: null, id: largest, isHostOnline: true }] },
    ],
    [
      'listHostsWithGroups',
      200,
      `{"groups":[{"id":-1,"name":null}],"hosts":[{"description":"a","groupid":-1,"id":${beyond},"isHostOnline":true}]}`,
      {
        groups: [{ id: '-1', name: null }],
        hosts: [{ description: 'a', groupid: '-1', id: beyond, isHostOnline: true }],
      },
    ],
    ['renameHost', 400, `{"hostIds":[${beyond},5]}`, { hostIds: [beyond, '5'] }],
    ['connectHost', 404, `{"message":"no","hostId":-${beyond}}`, { message: 'no', hostId: `-${beyond}` }],
    [
      'refreshAntivirusStatus',
      200,
      `{"commandStatuses":[{"targetHostId":${beyond},"sentSuccessfully":true}]}`,
      { commandStatuses: [{ targetHostId: beyond, sentSuccessfully: true }] },
    ],
  ])('%s %i', (action, status, json, expected) => expect(read(action, status, json)).toEqual(expected));

  test.each([
    ['beyond int64', '9223372036854775808'],
    ['a fraction', '1.5'],
    ['a rounded number', '9.3e18'],
    ['null', 'null'],
    ['a name', '"seven"'],
    ['an empty text', '""'],
    ['an object', '{}'],
  ])('%s is not an id', (_case, id) => {
    expect(() =>
      read('listHosts', 200, `{"hosts":[{"description":"a","id":${id},"isHostOnline":true}]}`),
    ).toThrow();
  });

  test('a missing id is not ignored', () =>
    expect(() => read('listHosts', 200, '{"hosts":[{"description":"a","isHostOnline":true}]}')).toThrow());
});

describe('data of a newer service is accepted', () => {
  test('unknown fields, at every level', () => {
    const body = {
      hosts: [{ description: 'a', id: 1, isHostOnline: true, color: 'red' }],
      page: { next: 2 },
    };
    expect(read('listHosts', 200, JSON.stringify(body))).toEqual({
      hosts: [{ description: 'a', id: '1', isHostOnline: true, color: 'red' }],
      page: { next: 2 },
    });
  });

  test('unknown enumeration values', () =>
    expect(read('installAntivirus', 200, '{"status":99}')).toEqual({ status: 99 }));

  test('inventory leaves as numbers, batteries as objects, an address list', () => {
    const report = { token: null, expires: null };
    const hardware = {
      memories: [{ size: 8, modules: 2, speed: 3200 }],
      batteries: [{ name: 'one' }],
      screen: '4k',
    };
    expect(read('readHardwareReport', 200, JSON.stringify({ report, hosts: { 1: hardware } }))).toEqual({
      report,
      hosts: { 1: hardware },
    });
    const system = { externalIp: ['192.0.2.1', '2001:db8::1'] };
    expect(read('readSystemReport', 200, JSON.stringify({ report, hosts: { 1: system } }))).toMatchObject({
      hosts: { 1: system },
    });
  });

  test.each(['{}', '{"message":null}', '{"error":"x"}', '{"message":"wait","retryDelay":12.5}'])(
    'an error body %s',
    (json) => expect(errorBody().safeParse(JSON.parse(json)).success).toBe(true),
  );
});

test.each<readonly [Action, unknown]>([
  ['renameHost', { newDescription: 'BER-WEB-01' }],
  ['moveHosts', { hostIds: [beyond] }],
  ['deleteHosts', { hostIds: ['1', largest] }],
  ['connectHost', { directLink: true, failWhenRaSessionInProgress: false }],
  ['createHardwareReport', { hostIds: ['1'] }],
  ['createSystemReport', { hostIds: ['1'], fields: ['ExternalIp'] }],
  ['installAntivirus', { targetHostIds: ['1'] }],
])('requests %s takes ids as decimal texts', (action, body) =>
  expect((api[action] as Endpoint).request?.().parse(body)).toEqual(body),
);

test('enumerations and field lists are those of section 2', () => {
  expect(AvStatus).toEqual({ ActionRequired: 0, Warning: 1, Unknown: 2, Ok: 3, FreeOk: 4, PartialOk: 5 });
  expect(InstallVendorResponseStatus).toEqual({ Unavailable: 0, Accepted: 1, Pending: 2, QuotaReached: 3 });
  expect(hardwareFields).toHaveLength(32);
  expect(hardwareFields).toContain('HardwareManufacturer');
  expect(systemFields).toHaveLength(15);
  expect(systemFields).toContain('ExternalIp');
  expect(systemFields).not.toContain('ExternalIP');
});
