import { describe, expect, it } from 'vitest';
import { connected, givenService, workplace } from '../given/command-line.ts';
import { answer } from '../given/scripted-service.ts';

const fleet = {
  groups: [
    { id: '17', name: '=Berlin' },
    { id: '18', name: null },
  ],
  hosts: [
    { id: '1', name: 'A', groupId: '17' },
    { id: '2', name: 'B', groupId: '17', online: false },
    { id: '3', name: 'C' },
  ],
};

describe('groups', () => {
  it('counts hosts and those online; the ungrouped are a row and no group', async () => {
    const { rampart } = await connected(fleet);
    const { out, err } = await rampart('hosts groups');
    expect(out).toBe(
      [
        'ID  NAME         HOSTS  ONLINE',
        '-1  (ungrouped)  1      1',
        '17  =Berlin      2      1',
        '18  (no name)    0      0',
        '',
      ].join('\n'),
    );
    expect(err).toBe('2 groups, 3 hosts (2 online, 1 in no group).\n');
  });

  it('is JSON and CSV', async () => {
    const { rampart } = await connected(fleet);
    const json = await rampart('hosts groups --json');
    expect(JSON.parse(json.out)[1]).toEqual({ id: '17', name: '=Berlin', hosts: 2, online: 1 });
    const csv = await rampart('hosts groups --format csv');
    expect(csv.out).toBe("id,name,hosts,online\n-1,,1,1\n17,'=Berlin,2,1\n18,,0,0\n");
    expect(`${json.err}${csv.err}`).toBe('');
  });

  it('of a group that the list leaves out still shows its hosts', async () => {
    const { rampart } = await workplace();
    const body = { groups: [], hosts: [{ description: 'A', groupid: 99, id: 1, isHostOnline: true }] };
    const { env } = await givenService(fleet, {
      faults: [
        {
          action: 'listHostsWithGroups',
          effect: { kind: 'status', status: 200, text: new TextDecoder().decode(answer(200, body).body) },
        },
      ],
    });
    expect((await rampart('hosts groups --format csv', { env })).out).toBe('id,name,hosts,online\n99,,1,1\n');
  });
});
