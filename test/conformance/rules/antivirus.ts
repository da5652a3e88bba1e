import { expect } from 'vitest';
import { hostIds, paths, type Send, targets } from '../../service/emulator/calls.ts';
import { fixture, ids } from '../fixture.ts';
import { rule } from '../rule.ts';

async function facts(send: Send, id: string): Promise<{ hasVendorInstalled: boolean } | undefined> {
  const { hosts } = (await send('GET', paths.antivirus)).json;
  return hosts.find((host: { hostId: unknown }) => String(host.hostId) === id);
}

const install = async (send: Send, ...hosts: string[]) => send('POST', paths.install, targets(...hosts));

export const antivirusRules = [
  rule('section 4, #17', 'the details have the groups and every host', async ({ send }) => {
    const { json } = await send('GET', paths.antivirus);
    expect(json.hostGroups[0]).toEqual({ groupId: -1, groupName: '' });
    expect(json.hostGroups).toContainEqual({ groupId: 17, groupName: 'Berlin Servers' });
    expect(json.hosts).toHaveLength(fixture.hosts.length);
  }),
  rule('section 2', 'an anti-virus record has all its members', async ({ send }) => {
    expect(await facts(send, ids.web1)).toEqual({
      hostId: ids.web1,
      hostDescription: 'BER-WEB-01',
      groupId: 17,
      isOnline: true,
      buildNumber: 17763,
      isMac: false,
      antiVirusStatus: 2,
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
    });
  }),
  rule('section 2', 'the names of all groups and hosts are strings', async ({ send }) => {
    const { hostGroups, hosts } = (await send('GET', paths.antivirus)).json;
    for (const { groupName } of hostGroups) expect(typeof groupName).toBe('string');
    for (const { hostDescription } of hosts) expect(typeof hostDescription).toBe('string');
  }),
  rule('section 2', "a host that can't take the product says so", async ({ send }) => {
    expect(await facts(send, ids.nameless)).toMatchObject({ isMac: true, vendorInstallSupported: false });
  }),
  rule('section 4, #18', 'each target of a refresh has an entry, in order', async ({ send }) => {
    const reply = await send('POST', paths.refresh, targets(ids.web1, ids.web2, ids.unknown));
    expect(reply.status).toBe(200);
    expect(reply.text).toContain(`"targetHostId":${ids.web1}`);
    expect(reply.json.commandStatuses).toEqual([
      { targetHostId: ids.web1, sentSuccessfully: true },
      { targetHostId: ids.web2, sentSuccessfully: false },
      { targetHostId: Number(ids.unknown), sentSuccessfully: false },
    ]);
  }),
  rule(
    'section 4, #19',
    'an install is accepted with one status, and shows in the details',
    async ({ send }) => {
      const reply = await install(send, ids.web1, ids.kiosk);
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ status: 1 });
      expect((await facts(send, ids.web1))?.hasVendorInstalled).toBe(true);
      expect((await facts(send, ids.kiosk))?.hasVendorInstalled).toBe(true);
    },
  ),
  rule('section 4, #19', 'an install on a host that has it is accepted', async ({ send }) => {
    expect((await install(send, ids.web2)).json).toEqual({ status: 1 });
  }),
  rule(
    'section 2',
    "an install that can't be done is unavailable, and nothing is installed",
    async ({ send }) => {
      expect((await install(send, ids.web1, ids.nameless)).json).toEqual({ status: 0 });
      expect((await facts(send, ids.web1))?.hasVendorInstalled).toBe(false);
    },
  ),
  rule(
    'section 2',
    'an install may be pending and be done later',
    async ({ send, advance }) => {
      expect((await install(send, ids.web1)).json).toEqual({ status: 2 });
      expect((await facts(send, ids.web1))?.hasVendorInstalled).toBe(false);
      await advance(5_000);
      expect((await facts(send, ids.web1))?.hasVendorInstalled).toBe(true);
    },
    { installStatus: 'pending', installTakesMs: 5_000 },
  ),
  rule(
    'section 2',
    'a quota that is reached installs nothing more',
    async ({ send }) => {
      expect((await install(send, ids.web1, ids.kiosk)).json).toEqual({ status: 3 });
      expect((await facts(send, ids.web1))?.hasVendorInstalled).toBe(false);
      expect((await install(send, ids.kiosk)).json).toEqual({ status: 1 });
      expect((await install(send, ids.web1)).json).toEqual({ status: 3 });
    },
    { antivirusQuota: 1 },
  ),
  rule('section 7, 400', 'unknown targets of an install are refused and named', async ({ send }) => {
    const reply = await install(send, ids.unknown);
    expect(reply.status).toBe(400);
    expect(reply.json.hostIds).toEqual([Number(ids.unknown)]);
  }),
  rule('section 4, #18 and #19', 'the targets are called targetHostIds', async ({ send }) => {
    expect((await send('POST', paths.install, hostIds(ids.web1))).status).toBe(400);
    expect((await send('POST', paths.refresh, hostIds(ids.web1))).status).toBe(400);
  }),
];
