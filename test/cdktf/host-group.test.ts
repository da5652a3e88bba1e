import { TerraformStack, Testing } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { HostGroup, ManagedHost } from '../../src/cdktf/index.ts';
import { withProvider } from './given/stack.ts';

function membersIn(build: (stack: TerraformStack) => void): unknown {
  const { resource } = withProvider(build);
  return (resource as { readonly rampart_group_members?: unknown }).rampart_group_members;
}

test('hosts of all kinds, in the order in which they come, each once', () => {
  const members = membersIn((stack) => {
    const lobby = ManagedHost.fromHostId(stack, 'lobby', '1004');
    const web = new ManagedHost(stack, 'web', { hostId: '1', name: 'WEB' });
    const kiosks = new HostGroup(stack, 'kiosks', { groupName: 'Kiosks ${x}', hosts: [lobby] });
    kiosks.addHost(web);
    kiosks.addHost(lobby);
    kiosks.addHost(ManagedHost.fromName(stack, 'bar', 'BAR'));
  });
  expect(members).toEqual({
    kiosks: {
      group: 'Kiosks $${x}',
      host_ids: ['1004', '${rampart_host.web.id}', '${data.rampart_host.bar.id}'],
    },
  });
});

test('an exclusive group is authoritative', () => {
  const members = membersIn((stack) => {
    const hosts = [ManagedHost.fromHostId(stack, 'lobby', '1004')];
    new HostGroup(stack, 'kiosks', { groupId: '18', exclusive: true, hosts });
  });
  expect(members).toEqual({ kiosks: { group_id: '18', host_ids: ['1004'], mode: 'authoritative' } });
});

test('evictions above the limit are approved by their exact number, of an exclusive group alone', () => {
  const members = membersIn((stack) => {
    const hosts = [ManagedHost.fromHostId(stack, 'lobby', '1004')];
    new HostGroup(stack, 'kiosks', { groupId: '18', exclusive: true, hosts, ack: 28 });
  });
  expect(members).toMatchObject({ kiosks: { acks: { evict: 28 } } });
  expect(() => membersIn((stack) => new HostGroup(stack, 'kiosks', { groupId: '18', ack: 28 }))).toThrow(
    'ack must be a number of hosts, and needs exclusive: true',
  );
});

test('hosts may be in a group that is managed elsewhere', () => {
  const document = withProvider((stack) => {
    const berlin = HostGroup.fromName(stack, 'berlin', 'Berlin');
    const second = HostGroup.fromGroupId(stack, 'second', '18');
    const own = new HostGroup(stack, 'own', { groupName: 'Own' });
    new ManagedHost(stack, 'a', { hostId: '1', group: berlin });
    new ManagedHost(stack, 'b', { hostId: '2', group: second });
    new ManagedHost(stack, 'c', { hostId: '3', group: own });
  });
  expect(document['resource']).toMatchObject({
    rampart_host: {
      a: { host_id: '1', group: 'Berlin' },
      b: { host_id: '2', group_id: '18' },
      c: { host_id: '3', group: 'Own' },
    },
  });
});

test.each<readonly [string, (stack: TerraformStack) => void, string]>([
  [
    'a host that says its group itself',
    (stack) => {
      const web = new ManagedHost(stack, 'web', { hostId: '1', group: 'Berlin' });
      new HostGroup(stack, 'kiosks', { groupName: 'Kiosks', hosts: [web] });
    },
    '[fleet/kiosks] fleet/web sets its own group, and is also added to this one',
  ],
  [
    'one host in two groups',
    (stack) => {
      const web = new ManagedHost(stack, 'web', { hostId: '1' });
      for (const id of ['a', 'b']) new HostGroup(stack, id, { groupName: id, hosts: [web] });
    },
    '[fleet/a] fleet/web is also added to fleet/b',
  ],
  [
    'two references to one host',
    (stack) => {
      for (const id of ['a', 'b']) {
        const hosts = [ManagedHost.fromHostId(stack, `host-${id}`, '1')];
        new HostGroup(stack, id, { groupName: id, hosts });
      }
    },
    '[fleet/b] fleet/host-b is also added to fleet/a',
  ],
  [
    'an exclusive group with no hosts',
    (stack) => new HostGroup(stack, 'kiosks', { groupName: 'Kiosks', exclusive: true }),
    '[fleet/kiosks] an exclusive group without hosts would remove every host from the group',
  ],
])('contradictions stop synth, and name both sides %s', (_case, build, message) =>
  expect(() => membersIn(build)).toThrow(message),
);

describe('errors are reported at once', () => {
  test.each<readonly [string, object, string]>([
    ['no group', {}, 'set either groupName or groupId'],
    ['two groups', { groupName: 'a', groupId: '1' }, 'set either groupName or groupId'],
    ['a blank name', { groupName: '' }, 'groupName is empty'],
    ['an id in words', { groupId: 'a' }, 'groupId is not a group id: "a"'],
  ])('%s', (_case, props, message) =>
    expect(() => membersIn((stack) => new HostGroup(stack, 'x', props))).toThrow(`fleet/x: ${message}`),
  );

  test('of references, too', () => {
    expect(() => membersIn((stack) => HostGroup.fromName(stack, 'x', ''))).toThrow('fleet/x: groupName');
    expect(() => membersIn((stack) => HostGroup.fromGroupId(stack, 'x', ''))).toThrow('fleet/x: groupId');
  });
});

test('isHostGroup knows its own', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  expect(HostGroup.isHostGroup(new HostGroup(stack, 'a', { groupName: 'a' }))).toBe(true);
  const reference = HostGroup.fromName(stack, 'b', 'b');
  expect([stack, reference, null, undefined, {}, 'x'].some((each) => HostGroup.isHostGroup(each))).toBe(
    false,
  );
});
