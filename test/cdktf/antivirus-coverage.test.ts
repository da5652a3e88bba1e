import { TerraformStack, Testing } from 'cdktf';
import { expect, test } from 'vitest';
import { AntivirusCoverage, type AntivirusCoverageProps, ManagedHost } from '../../src/cdktf/index.ts';
import { readDesired } from '../../src/input/read-desired.ts';
import { withProvider } from './given/stack.ts';

interface Coverage {
  readonly content: string;
  readonly acks?: object;
}

function coverage(props: (stack: TerraformStack) => AntivirusCoverageProps): Coverage {
  const { resource } = withProvider((stack) => new AntivirusCoverage(stack, 'kiosks', props(stack)));
  return (resource as { readonly rampart_fleet: { readonly kiosks: Coverage } }).rampart_fleet.kiosks;
}

/** The text once Terraform has evaluated it. */
function desiredOf({ content }: Coverage) {
  const text = content
    .replaceAll('${rampart_host.web.id}', '9007199254740993')
    .replaceAll('$${', () => '${')
    .replaceAll('%%{', '%{');
  const read = readDesired([{ file: 'coverage', text }]);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  return { rules: read.value.rules, limits: read.value.limits };
}

test.each<readonly [string, (stack: TerraformStack) => AntivirusCoverageProps, string]>([
  ['of all hosts', () => ({}), 'true'],
  ['of a kind', () => ({ where: 'host.group == "Kiosks"' }), 'host.group == "Kiosks"'],
  [
    'of a kind whose expression has templates in it',
    () => ({ where: 'host.name.matches("^\\\\$\\\\{x\\\\}%{2}$")' }),
    'host.name.matches("^\\\\$\\\\{x\\\\}%{2}$")',
  ],
  [
    'of a list of hosts, managed here or not',
    (stack) => ({
      hosts: [
        new ManagedHost(stack, 'web', { hostId: '9007199254740993' }),
        ManagedHost.fromHostId(stack, 'lobby', '-6'),
      ],
    }),
    'host.id in [9007199254740993, -6]',
  ],
  [
    'of those of a list that are of a kind',
    (stack) => ({ where: 'host.online', hosts: [ManagedHost.fromHostId(stack, 'lobby', '4')] }),
    'host.id in [4] && (host.online)',
  ],
])('one rule asks for the anti-virus %s', (_case, props, when) => {
  const { rules } = desiredOf(coverage(props));
  expect(rules).toMatchObject([{ name: 'fleet/kiosks', when: { source: when }, antivirus: true }]);
  expect(rules[0]).not.toHaveProperty('group');
});

test('a limit applies to one apply, and an approval is exact', () => {
  const bounded = coverage(() => ({ limit: '10%', ack: 28 }));
  expect(desiredOf(bounded).limits.antivirus).toEqual({ kind: 'share', percent: 10 });
  expect(bounded.acks).toEqual({ antivirus: 28 });
});

test.each<readonly [string, object, string]>([
  ['an expression that is none', { where: 'host.' }, 'where:4:'],
  ['a fact that there is not', { where: 'host.color == "red"' }, 'color'],
  ['one that closes what it stands in', { where: 'true) || (false' }, 'where'],
  ['one with a remark behind it', { where: 'true // all' }, 'where'],
  ['no hosts', { hosts: [] }, 'hosts is empty'],
  ['a limit that is none', { limit: 'some' }, 'limit'],
  ['half an install', { ack: 0.5 }, 'ack must be a number of installs'],
])('errors are reported at once %s', (_case, props, message) =>
  expect(() => coverage(() => props)).toThrow(message),
);

test('isAntivirusCoverage knows its own', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  expect(AntivirusCoverage.isAntivirusCoverage(new AntivirusCoverage(stack, 'a'))).toBe(true);
  expect([stack, null, {}].some((each) => AntivirusCoverage.isAntivirusCoverage(each))).toBe(false);
});
