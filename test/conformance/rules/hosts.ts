import { expect } from 'vitest';
import { hostIds, newDescription, paths, type Send } from '../../service/emulator/calls.ts';
import { fixture, groupIds, ids, reported } from '../fixture.ts';
import { rule } from '../rule.ts';

async function listed(
  send: Send,
  id: string,
): Promise<{ description: string | null; groupid: unknown } | undefined> {
  const { hosts } = (await send('GET', paths.hostsWithGroups)).json;
  return hosts.find((host: { id: unknown }) => String(host.id) === id);
}

const rename = (send: Send, id: string, name: string) =>
  send('PUT', paths.description(id), newDescription(name));
const move = (send: Send, group: string, ...hosts: string[]) =>
  send('PUT', paths.groupHosts(group), hostIds(...hosts));
const remove = (send: Send, ...hosts: string[]) => send('DELETE', paths.hostsV1, hostIds(...hosts));

export const hostRules = [
  rule('section 4, #1', 'the list has every host, offline ones too', async ({ send }) => {
    const { hosts } = (await send('GET', paths.hosts)).json;
    expect(hosts).toHaveLength(fixture.hosts.length);
    expect(hosts[0]).toMatchObject({ description: 'BER-WEB-01', isHostOnline: true });
    expect(hosts[1]).toMatchObject({ description: 'BER-WEB-02', isHostOnline: false });
    expect(hosts[0]).not.toHaveProperty('groupid');
  }),
  rule('section 2', 'ids are integers of 64 bits, exact on the wire', async ({ send }) => {
    for (const path of [paths.hosts, paths.hostsV1, paths.hostsWithGroups]) {
      const { text } = await send('GET', path);
      expect(text).toMatch(new RegExp(`"id":${ids.web1}[,}]`));
      expect(text).toMatch(new RegExp(`"id":${ids.web2}[,}]`));
    }
  }),
  rule('section 2', 'the group of a host is in groupid, in lower case and nowhere else', async ({ send }) => {
    const { text } = await send('GET', paths.hostsWithGroups);
    expect(text).toContain('"groupid":17');
    expect(text).not.toContain('"groupId"');
  }),
  rule('section 4, #2', 'the groups begin with -1, which has no name', async ({ send }) => {
    const { groups } = (await send('GET', paths.hostsWithGroups)).json;
    expect(groups).toEqual([
      { id: -1, name: null },
      { id: 17, name: 'Berlin Servers' },
      { id: 18, name: 'Lisbon Laptops' },
    ]);
  }),
  rule('section 4, #2', 'ungrouped hosts are in group -1', async ({ send }) => {
    expect((await listed(send, ids.kiosk))?.groupid).toBe(-1);
  }),
  rule('section 2', 'a host can have no name', async ({ send }) => {
    expect((await listed(send, ids.nameless))?.description).toBeNull();
  }),
  rule('section 9', 'v2 lists carry hostName and its date, the older list does not', async ({ send }) => {
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    for (const path of [paths.hosts, paths.hostsWithGroups]) {
      const [host] = (await send('GET', path)).json.hosts;
      expect(host).toMatchObject({ hostName: 'BER-WEB-01', hostStateChangeDate: date });
    }
    const [host] = (await send('GET', paths.hostsV1)).json.hosts;
    expect(host).toEqual({ description: 'BER-WEB-01', id: ids.web1, isHostOnline: true });
  }),

  rule('section 4, #3', 'a rename answers 204 without content and shows in the list', async ({ send }) => {
    const reply = await rename(send, ids.web1, 'BER-WEB-09');
    expect(reply.status).toBe(204);
    expect(reply.text).toBe('');
    expect((await listed(send, ids.web1))?.description).toBe('BER-WEB-09');
  }),
  rule('section 4, #3', 'names are any Unicode text, unchanged', async ({ send }) => {
    for (const name of [
      'Zürich ✓ 東京',
      ' blanks ',
      '"quotes" \\ and /',
      'line\nbreak',
      '1234',
      '9007199254740993',
    ]) {
      expect((await rename(send, ids.web1, name)).status).toBe(204);
      expect((await listed(send, ids.web1))?.description).toBe(name);
    }
  }),
  rule('section 4, #3', 'a name in use is a conflict, and nothing changes', async ({ send }) => {
    const reply = await rename(send, ids.web1, 'KIOSK');
    expect(reply.status).toBe(409);
    expect(typeof reply.json.message).toBe('string');
    expect((await listed(send, ids.web1))?.description).toBe('BER-WEB-01');
  }),
  rule('section 4, #3', 'a name is free as soon as its holder has another', async ({ send }) => {
    expect((await rename(send, ids.kiosk, 'KIOSK-2')).status).toBe(204);
    expect((await rename(send, ids.web1, 'KIOSK')).status).toBe(204);
  }),
  rule('section 4, #3', 'a name is free as soon as its holder is deleted', async ({ send }) => {
    expect((await remove(send, ids.kiosk)).status).toBe(204);
    expect((await rename(send, ids.web1, 'KIOSK')).status).toBe(204);
  }),
  rule('section 4, #3', 'a host can be given the name it has', async ({ send }) => {
    expect((await rename(send, ids.web1, 'BER-WEB-01')).status).toBe(204);
  }),
  rule('section 4, #3', 'a host can change the letter case of its name', async ({ send }) => {
    expect((await rename(send, ids.web1, 'ber-web-01')).status).toBe(204);
    expect((await listed(send, ids.web1))?.description).toBe('ber-web-01');
  }),
  rule('section 4, #3', 'a host without a name can be given one', async ({ send }) => {
    expect((await rename(send, ids.nameless, 'MAC-01')).status).toBe(204);
  }),
  rule('section 4, #3', 'an invalid string is refused', async ({ send }) => {
    for (const name of ['""', '"   "', 'null', '5', '["x"]', JSON.stringify('x'.repeat(256))]) {
      const reply = await send('PUT', paths.description(ids.web1), `{"newDescription":${name}}`);
      expect(reply.status).toBe(400);
    }
    expect((await listed(send, ids.web1))?.description).toBe('BER-WEB-01');
  }),
  rule('section 4, #3', 'an invalid or unknown id is refused with 400', async ({ send }) => {
    for (const id of ['abc', '1.5', '9223372036854775808', '01', '%20', ids.unknown]) {
      expect((await rename(send, id, 'X')).status).toBe(400);
    }
  }),

  rule('section 4, #4', 'a move answers 204 and shows in the list', async ({ send }) => {
    const reply = await move(send, groupIds.laptops, ids.web1, ids.kiosk);
    expect(reply.status).toBe(204);
    expect(reply.text).toBe('');
    expect((await listed(send, ids.web1))?.groupid).toBe(18);
    expect((await listed(send, ids.kiosk))?.groupid).toBe(18);
  }),
  rule('section 4, #4', 'a move to the group a host is in changes nothing', async ({ send }) => {
    expect((await move(send, groupIds.servers, ids.web1)).status).toBe(204);
    expect((await listed(send, ids.web1))?.groupid).toBe(17);
  }),
  rule('section 4, #4', 'a move to -1 makes a host ungrouped', async ({ send }) => {
    expect((await move(send, groupIds.ungrouped, ids.web1)).status).toBe(204);
    expect((await listed(send, ids.web1))?.groupid).toBe(-1);
  }),
  rule('section 4, #4', 'an unknown or invalid group is refused', async ({ send }) => {
    for (const group of [groupIds.unknown, 'abc', '0x11'])
      expect((await move(send, group, ids.web1)).status).toBe(400);
    expect((await listed(send, ids.web1))?.groupid).toBe(17);
  }),
  rule('section 4, #4', 'one unknown host refuses the whole move and is named', async ({ send }) => {
    const reply = await move(send, groupIds.laptops, ids.web1, ids.unknown, '9223372036854775806');
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(`"hostIds":[${ids.unknown},9223372036854775806]`);
    expect((await listed(send, ids.web1))?.groupid).toBe(17);
  }),

  rule('section 4, #6', 'a deletion answers 204, and the hosts are gone', async ({ send }) => {
    const reply = await remove(send, ids.web1, ids.web2);
    expect(reply.status).toBe(204);
    expect(reply.text).toBe('');
    expect(await listed(send, ids.web1)).toBeUndefined();
    expect((await send('GET', paths.hosts)).json.hosts).toHaveLength(fixture.hosts.length - 2);
  }),
  rule('section 4, #6', 'one unknown host refuses the whole deletion and is named', async ({ send }) => {
    const reply = await remove(send, ids.web1, ids.unknown);
    expect(reply.status).toBe(400);
    expect(reply.json.hostIds).toEqual([Number(ids.unknown)]);
    expect(await listed(send, ids.web1)).toBeDefined();
  }),
  rule('section 4, #6', 'a second deletion of the same host is refused', async ({ send }) => {
    expect((await remove(send, ids.web1)).status).toBe(204);
    expect((await remove(send, ids.web1)).status).toBe(400);
  }),
  rule('section 4, #6', 'many hosts go in one call', async ({ send }) => {
    expect((await remove(send, ...reported)).status).toBe(204);
    expect((await send('GET', paths.hosts)).json.hosts).toHaveLength(fixture.hosts.length - reported.length);
  }),
  rule('section 4', 'an id that is too large, a fraction or a text is not an int64', async ({ send }) => {
    for (const id of ['9223372036854775808', '1.5', '1e3', '"1001"', 'null']) {
      expect((await remove(send, id)).status).toBe(400);
      expect((await move(send, groupIds.servers, id)).status).toBe(400);
    }
  }),
  rule('section 4', 'a call for no hosts is refused', async ({ send }) => {
    expect((await remove(send)).status).toBe(400);
    expect((await move(send, groupIds.servers)).status).toBe(400);
  }),
];
