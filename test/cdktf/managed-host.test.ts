import { TerraformOutput, TerraformStack, TerraformVariable, Testing } from 'cdktf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Host,
  HostGroup,
  ManagedFleet,
  ManagedHost,
  type ManagedHostProps,
  RampartProvider,
} from '../../src/cdktf/index.ts';
import { hasLineBreak } from '../../src/core/model/host-name.ts';
import { hostileName } from '../given/hostile-names.ts';
import { documentOf, withProvider } from './given/stack.ts';

type Hosts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function hostsIn(build: (stack: TerraformStack) => void): Hosts {
  const { resource } = withProvider(build);
  return (resource as { readonly rampart_host: Hosts }).rampart_host;
}

function argumentsOf(props: ManagedHostProps): Readonly<Record<string, unknown>> | undefined {
  return hostsIn((stack) => new ManagedHost(stack, 'web-1', props))['web-1'];
}

describe('what is written', () => {
  test.each<readonly [string, ManagedHostProps, object]>([
    ['only the id', { hostId: '-6' }, { host_id: '-6' }],
    [
      'everything',
      {
        hostId: '9007199254740993',
        name: 'BER-WEB-01',
        group: 'Berlin Servers',
        antivirus: 'installed',
        onDestroy: 'prevent',
        waitForEnrollment: '15m',
        lifecycle: { ignoreChanges: ['name'] },
      },
      {
        host_id: '9007199254740993',
        name: 'BER-WEB-01',
        group: 'Berlin Servers',
        antivirus: 'installed',
        on_destroy: 'prevent',
        wait_for_enrollment: '15m',
        lifecycle: { ignore_changes: ['name'] },
      },
    ],
    [
      'by its name and what it was called before',
      { name: 'BER-LOBBY', previously: ['LOBBY', 'OLD'] },
      { name: 'BER-LOBBY', previously: ['LOBBY', 'OLD'] },
    ],
    ['in no group', { hostId: '1', group: null }, { host_id: '1', group_id: '-1' }],
    ['in a group by its id', { hostId: '1', group: { groupId: '17' } }, { host_id: '1', group_id: '17' }],
    [
      'with what looks like templates',
      { name: '${a}%{b}$${c}', previously: ['%%{d}'], group: '${e}' },
      { name: '$${a}%%{b}$$${c}', previously: ['%%%{d}'], group: '$${e}' },
    ],
  ])('%s', (_case, props, expected) => expect(argumentsOf(props)).toEqual(expected));

  test('whatever a host is called, no template is left in it', () =>
    fc.assert(
      fc.property(hostileName, (name) => {
        fc.pre(name.trim() !== '' && name.normalize('NFC') === name && name.isWellFormed());
        fc.pre(!name.includes('TfToken') && !hasLineBreak(name));
        const written = String(argumentsOf({ name })?.['name']);
        expect(written.replaceAll(/\$\$\{|%%\{/g, '')).not.toMatch(/[$%]\{/);
        expect(written.replaceAll('$${', () => '${').replaceAll('%%{', '%{')).toBe(name);
      }),
      { numRuns: 60 },
    ));
});

test('a name can change, and the place in the state stays', () => {
  const before = hostsIn((stack) => new ManagedHost(stack, 'asset-77', { hostId: '1', name: 'A' }));
  const after = hostsIn((stack) => new ManagedHost(stack, 'asset-77', { hostId: '1', name: 'B' }));
  expect([Object.keys(before), Object.keys(after)]).toEqual([['asset-77'], ['asset-77']]);
});

describe('tokens stay tokens', () => {
  test('variables, which are not checked', () => {
    const hosts = hostsIn((stack) => {
      const text = (id: string) => new TerraformVariable(stack, id, { type: 'string' }).stringValue;
      new ManagedHost(stack, 'web-1', {
        hostId: text('id'),
        name: `BER-${text('name')}`,
        group: text('group'),
        waitForEnrollment: text('wait'),
      });
    });
    expect(hosts['web-1']).toEqual({
      host_id: '${var.id}',
      name: 'BER-${var.name}',
      group: '${var.group}',
      wait_for_enrollment: '${var.wait}',
    });
  });

  test('a host of another stack', () => {
    const app = Testing.app();
    const [owner, user] = ['owner', 'user'].map((id) => {
      const stack = new TerraformStack(app, id);
      new RampartProvider(stack, 'rampart');
      return stack;
    }) as [TerraformStack, TerraformStack];
    const web = new ManagedHost(owner, 'web-1', { hostId: '1', name: 'A' });
    new HostGroup(user, 'berlin', { groupName: 'Berlin', hosts: [web] });
    new TerraformOutput(user, 'name', { value: web.name });
    for (const stack of [owner, user]) stack.prepareStack();
    const using = documentOf(user);
    expect(using['resource']).toEqual({
      rampart_group_members: {
        berlin: {
          group: 'Berlin',
          host_ids: [expect.stringMatching(/^\$\{data\.terraform_remote_state\./) as unknown],
        },
      },
    });
    expect(Object.values(documentOf(owner)['output'] as object)).toContainEqual({
      value: '${rampart_host.web-1.id}',
      sensitive: true,
    });
  });
});

describe('references', () => {
  test('by id nothing is read', () => {
    const document = withProvider((stack) => {
      const lobby = ManagedHost.fromHostId(stack, 'lobby', '1004');
      new TerraformOutput(stack, 'id', { value: lobby.hostId });
    });
    expect(document['output']).toEqual({ id: { value: '1004' } });
    expect(document).not.toHaveProperty('data');
  });

  test('by name the fleet is looked up', () => {
    const document = withProvider((stack) => {
      const lobby = ManagedHost.fromName(stack, 'lobby', '${x}');
      new TerraformOutput(stack, 'id', { value: lobby.hostId });
    });
    expect(document['data']).toEqual({ rampart_host: { lobby: { name: '$${x}' } } });
    expect(document['output']).toEqual({ id: { value: '${data.rampart_host.lobby.id}' } });
  });

  test.each([
    ['an id that is none', (stack: TerraformStack) => ManagedHost.fromHostId(stack, 'x', 'LOBBY')],
    ['a blank name', (stack: TerraformStack) => ManagedHost.fromName(stack, 'x', ' ')],
  ])('%s is refused', (_case, make) => expect(() => hostsIn(make)).toThrow(/^fleet\/x: /));
});

describe('errors are reported at once', () => {
  test.each<readonly [string, object, string]>([
    ['neither id nor name', {}, 'set hostId or name'],
    ['an id in words', { hostId: 'web' }, 'hostId is not a host id: "web"'],
    ['an id beyond 64 bits', { hostId: '9223372036854775808' }, 'hostId is not a host'],
    ['an id with a zero before it', { hostId: '01' }, 'hostId is not a host'],
    ['a number', { hostId: 5 }, 'hostId must be text'],
    ['a blank name', { name: '  ' }, 'name is empty'],
    ['a name with half a character', { name: '\ud800' }, 'name contains half a character'],
    ['a name that Terraform would change', { name: 'Mu\u0308ller' }, 'name is not in Unicode form NFC'],
    ['an endless name', { name: 'x'.repeat(10_001) }, 'name has more than 10000 characters'],
    ['a name in two lines', { name: 'WEB\n2' }, 'name contains a line break: "WEB'],
    ['a name of a temporary rename', { name: 'A ~rampart~3f9a1c' }, 'name is reserved for temporary renames'],
    ['a blank former name', { name: 'a', previously: ['b', ''] }, 'previously[1] is empty'],
    ['a blank group', { name: 'a', group: '' }, 'group is empty'],
    ['a group id in words', { name: 'a', group: { groupId: 'x' } }, 'group is not a group id: "x"'],
    ['another anti-virus', { name: 'a', antivirus: 'yes' }, 'antivirus is "yes", not "installed"'],
    ['another end', { name: 'a', onDestroy: 'keep' }, 'onDestroy is "keep", not "forget" or "delete"'],
    ['a wait without a unit', { name: 'a', waitForEnrollment: '15' }, 'waitForEnrollment is not a duration'],
  ])('%s', (_case, props, message) => expect(() => argumentsOf(props as ManagedHostProps)).toThrow(message));

  test('all of it in one message that names the construct', () => {
    expect(() => argumentsOf({ hostId: 'x', name: '', waitForEnrollment: '5' })).toThrow(
      /^fleet\/web-1: hostId .*; name is empty; waitForEnrollment /,
    );
  });
});

test('isManagedHost knows its own, from whichever copy of the package', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  expect(ManagedHost.isManagedHost(new ManagedHost(stack, 'a', { name: 'a' }))).toBe(true);
  expect(ManagedHost.isManagedHost({ [Symbol.for('rampart.cdktf.ManagedHost')]: true })).toBe(true);
  const reference = ManagedHost.fromHostId(stack, 'b', '1');
  expect([stack, reference, null, undefined, {}, 'x'].some((each) => ManagedHost.isManagedHost(each))).toBe(
    false,
  );
});

describe('synth fails for', () => {
  const faultsOf = (build: (stack: TerraformStack) => void): string => {
    try {
      hostsIn(build);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('two resources that set the name or the group of one host', () => {
    const faults = faultsOf((stack) => {
      new ManagedHost(stack, 'one', { hostId: '1', name: 'A', group: 'Kiosks' });
      new Host(stack, 'two', { hostId: '1', name: 'B', groupId: '17' });
      new ManagedFleet(stack, 'three', {
        desiredState: 'version: 1\nhosts: [{ id: 1, group: Servers }]\n',
        form: 'fleet',
      });
    });
    expect(faults).toContain(
      'fleet/one/Default and fleet/two set the name: the host 1 has 2 entries (keep one of them)',
    );
    expect(faults).toMatch(
      /fleet\/one\/Default and fleet\/two and fleet\/three\/Default \(fleet\.yaml:2.*\) set the group: the host 1 has 3 entries/,
    );
  });

  test('two hosts with one name, whatever its letters', () => {
    const faults = faultsOf((stack) => {
      new ManagedHost(stack, 'one', { hostId: '1', name: 'Desk' });
      new ManagedHost(stack, 'two', { hostId: '2', name: 'DESK' });
      new ManagedHost(stack, 'three', { name: 'desk' });
    });
    expect(faults).toContain(
      'fleet/one/Default and fleet/two/Default and fleet/three/Default set the name: the service may treat the names "Desk" and "DESK" and "desk" as equal',
    );
  });

  test('a group with its id too', () => {
    const faults = faultsOf((stack) => {
      new Host(stack, 'one', { hostId: '1', group: 'Kiosks', groupId: '18' });
    });
    expect(faults).toContain('fleet/one: set either group or groupId, not both');
    const group = { groupName: 'Kiosks', groupId: '18' };
    expect(() => argumentsOf({ hostId: '1', group })).toThrow('set only one');
  });

  test('a YAML file that does not exist, with its path and that of the construct', () => {
    expect(() => hostsIn((stack) => ManagedFleet.fromYaml(stack, 'offices', 'no/such/fleet.yaml'))).toThrow(
      /^fleet\/offices: .*no\/such\/fleet\.yaml/,
    );
  });

  test('nothing if resources divide the attributes of a host, or have different providers', () => {
    const faults = faultsOf((stack) => {
      const other = new RampartProvider(stack, 'other', { alias: 'other' });
      new ManagedHost(stack, 'one', { hostId: '1', name: 'A' });
      new ManagedHost(stack, 'two', { hostId: '1', group: 'Kiosks', antivirus: 'installed' });
      new ManagedHost(stack, 'three', { hostId: '1', name: 'A', group: 'Kiosks', provider: other });
    });
    expect(faults).toBe('');
  });
});
