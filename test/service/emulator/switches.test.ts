import { describe, expect, it } from 'vitest';
import { onceAMinute } from '../../../src/service/emulator/limiter.ts';
import { defaultSwitches, switchTable } from '../../../src/service/emulator/switch-table.ts';
import type { Switches } from '../../../src/service/emulator/switches.ts';
import { type Given, givenEmulator, hostIds, newDescription, paths, targets } from './calls.ts';

const fleet = {
  groups: [{ id: '17', name: 'Servers' }],
  categories: [{ id: 'c', name: 'Site', values: [{ id: 'v', name: 'Berlin' }] }],
  hosts: [
    ...Array.from({ length: 60 }, (_, index) => ({
      id: String(100 + index),
      name: `PC-${index}`,
      inventory: { hardware: { serviceTag: String(index) } },
    })),
    { id: '1', name: 'Kiosk', groupId: '17', customFields: { c: 'v' } },
    { id: '2', name: 'Offline', online: false },
    { id: '3', name: 'Mac', antivirus: { supported: false } },
  ],
};

/** Makes some calls, and returns their results. */
type Probe = (given: Given) => Promise<unknown>;

const status = async (reply: Promise<{ readonly status: number }>): Promise<number> => (await reply).status;
const rename = (given: Given, name: string) =>
  given.send('PUT', paths.description('1'), newDescription(name));
const nameOf = (given: Given) => given.state().hosts.find((host) => host.id === '1')?.name;
const connect = (given: Given, path = paths.connection('1')) =>
  given.send('POST', path, '{"directLink":true,"failWhenRaSessionInProgress":true}');
const install = async (given: Given, ...ids: string[]) => {
  const { json } = await given.send('POST', paths.install, targets(...ids));
  return [json?.status, [...given.installs.keys()]];
};
const report = (given: Given, ...ids: string[]) =>
  given.send('POST', paths.reports('hardware'), hostIds(...ids));
const page = (given: Given, token: string) => given.send('GET', paths.report('hardware', token));

const probes: { readonly [Name in keyof Switches]: readonly [Switches[Name], Probe] } = {
  authenticationCheck: [
    'success-false',
    (given) =>
      status(given.send('GET', paths.authentication, undefined, { headers: { authorization: null } })),
  ],
  customFieldsWithoutCredentials: [
    '401',
    (given) => status(given.send('GET', paths.customFields, undefined, { headers: { authorization: null } })),
  ],
  accept: [
    'enforced',
    (given) => status(given.send('GET', paths.hosts, undefined, { headers: { accept: '*/*' } })),
  ],
  malformedBody: ['400', (given) => status(given.send('DELETE', paths.hostsV1, '{'))],
  wrongMethod: ['405', (given) => status(given.send('DELETE', paths.hosts, hostIds('1')))],
  connectionSegment: ['connection', (given) => status(connect(given, `${paths.connection('1')}s`))],
  connectionErrorType: [
    'application/json',
    async (given) => (await connect(given, paths.connection('2'))).headers['content-type'],
  ],
  connectionStartsSession: [
    true,
    async (given) => [await status(connect(given)), await status(connect(given))],
  ],
  vendorWord: [
    'acme',
    async (given) => [
      await status(given.send('POST', paths.install.replace('vendor', 'acme'), targets('1'))),
      Object.keys((await given.send('GET', paths.antivirus)).json.hosts[0]).slice(-2),
    ],
  ],
  jsonPrefix: ['everywhere', async (given) => (await given.send('GET', paths.hosts)).text.slice(0, 5)],
  hostExtras: [false, async (given) => Object.keys((await given.send('GET', paths.hosts)).json.hosts[0])],
  maxDescriptionLength: [10, (given) => status(rename(given, 'x'.repeat(11)))],
  trimDescription: [true, async (given) => [await status(rename(given, ' New ')), nameOf(given)]],
  blankDescription: ['accepted', (given) => status(rename(given, ' '))],
  nameConflict: ['exact-case', (given) => status(rename(given, 'OFFLINE'))],
  caseOnlyRename: ['conflicts', (given) => status(rename(given, 'KIOSK'))],
  renameToOwnName: ['conflicts', (given) => status(rename(given, 'Kiosk'))],
  moveToUngrouped: ['refused', (given) => status(given.send('PUT', paths.groupHosts('-1'), hostIds('1')))],
  badIds: [
    'rest-done',
    async (given) => [await status(given.send('DELETE', paths.hostsV1, hostIds('1', '9'))), nameOf(given)],
  ],
  badIdsNamed: [false, async (given) => (await given.send('DELETE', paths.hostsV1, hostIds('9'))).json],
  emptyIds: ['accepted', (given) => status(given.send('DELETE', paths.hostsV1, hostIds()))],
  maxBatch: [2, (given) => status(given.send('DELETE', paths.hostsV1, hostIds('1', '2', '3')))],
  // Visible only with a maximum: `maxBatch` is on for both.
  tooLarge: ['413', (given) => status(given.send('DELETE', paths.hostsV1, hostIds('1', '2', '3')))],
  reportTokenLifeMs: [
    5_000,
    async (given) => {
      await report(given, '100');
      await given.clock.sleep(5_000);
      return status(report(given, '100'));
    },
  ],
  reportReadyAfterMs: [1, async (given) => status(page(given, (await report(given, '100')).json.token))],
  reportHosts: [
    '50-in-all',
    async (given) => {
      const { token } = (await report(given, ...fleet.hosts.slice(0, 60).map((host) => host.id))).json;
      return (await page(given, token)).json.report.token === token;
    },
  ],
  hostsWithoutCustomFields: [
    'listed',
    async (given) => (await given.send('GET', paths.customFields)).json.hosts.length,
  ],
  refreshOfUnknownHost: ['refused', (given) => status(given.send('POST', paths.refresh, targets('9')))],
  installStatus: ['pending', (given) => install(given, '1')],
  installTakesMs: [
    1_000,
    async (given) => {
      await install(given, '1');
      return (await given.send('GET', paths.antivirus)).json.hosts.at(-3);
    },
  ],
  installOffline: ['unavailable', (given) => install(given, '2')],
  installUnsupported: ['skipped', (given) => install(given, '1', '3')],
  antivirusQuota: [1, (given) => install(given, '1', '2')],
  // Visible only with a quota: `antivirusQuota` is on for both.
  quotaRule: ['fills-up', (given) => install(given, '2', '1')],
  retryDelay: [false, async (given) => (await hurried(given)).json],
  retryAfterHeader: [true, async (given) => (await hurried(given)).headers['retry-after']],
  refusedCallsCount: [
    true,
    async (given) => {
      await hurried(given);
      await given.clock.sleep(30_000);
      await given.send('GET', paths.hosts);
      await given.clock.sleep(30_000);
      return status(given.send('GET', paths.hosts));
    },
  ],
};

async function hurried(given: Given) {
  given.setLimits({ listHosts: onceAMinute });
  await given.send('GET', paths.hosts);
  return given.send('GET', paths.hosts);
}

const background: Partial<Record<keyof Switches, Partial<Switches>>> = {
  tooLarge: { maxBatch: 2 },
  quotaRule: { antivirusQuota: 1 },
};

describe('a switch', () => {
  it.each(Object.entries(switchTable))('%s has a meaning, a valid default and test value', (name, each) => {
    const [value] = probes[name as keyof Switches];
    expect(each.schema.parse(each.usual)).toBe(each.usual);
    expect(each.schema.parse(value)).toBe(value);
    expect(each.schema.safeParse('no such value, surely').success).toBe(false);
    expect(each.meaning.length).toBeGreaterThan(20);
  });

  it.each(Object.keys(defaultSwitches) as (keyof Switches)[])('%s changes what callers get', async (name) => {
    const [value, probe] = probes[name];
    const usual = await probe(givenEmulator(fleet, { switches: background[name] ?? {} }));
    const again = await probe(givenEmulator(fleet, { switches: background[name] ?? {} }));
    const switched = await probe(givenEmulator(fleet, { switches: { ...background[name], [name]: value } }));
    expect(again).toEqual(usual);
    expect(switched).not.toEqual(usual);
  });
});
