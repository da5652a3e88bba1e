import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { App, TerraformStack, TerraformVariable, Testing } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { FleetApply, type FleetApplyLimits, type FleetApplyProps } from '../../src/cdktf/index.ts';
import { readDesired } from '../../src/input/read-desired.ts';
import { defineFleet } from '../../src/input/typescript/define-fleet.ts';
import { workplace } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';
import { type Document, documentOf } from './given/stack.ts';

const desiredState = 'version: 1\nhosts:\n  - { id: 9007199254740993, name: BER-WEB-01 }\n';
const given: FleetApplyProps = { desiredState, planFile: 'plan.json' };

function stackWith(make: (stack: TerraformStack) => void): Document {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new NullProvider(stack, 'null');
  make(stack);
  return documentOf(stack);
}

function resourceOf(props: FleetApplyProps): Record<string, unknown> {
  const document = stackWith((stack) => new FleetApply(stack, 'Offices', props));
  const { null_resource } = document['resource'] as { readonly null_resource: Record<string, object> };
  const { '//': _, ...resource } = null_resource['Offices'] as Record<string, unknown>;
  return resource;
}

function commandOf(props: FleetApplyProps): string {
  const { provisioner } = resourceOf(props) as { provisioner: [{ 'local-exec': { command: string } }] };
  return provisioner[0]['local-exec'].command;
}

const make = (props: object) => () => resourceOf(props as FleetApplyProps);

test('a stack holds one null_resource that runs the plan when the desired state has changed', () => {
  expect(resourceOf(given)).toEqual({
    triggers: { desired_state: expect.stringMatching(/^[\da-f]{64}$/) as unknown },
    provisioner: [{ 'local-exec': { command: 'rampart apply plan.json' } }],
  });
});

test('the resource has a readable address, and the provider is the only one', () => {
  const document = stackWith((stack) => new FleetApply(stack, 'Offices', given));
  expect(document['resource']).toEqual({ null_resource: { Offices: expect.anything() } });
  expect(document['provider']).toEqual({ null: [{}] });
});

test('two in one stack do not conflict', () => {
  const document = stackWith((stack) => {
    new FleetApply(stack, 'Berlin', given);
    new FleetApply(stack, 'Lisbon', { ...given, planFile: 'lisbon.json' });
  });
  expect(Object.keys((document['resource'] as { null_resource: object }).null_resource)).toEqual([
    'Berlin',
    'Lisbon',
  ]);
});

describe('the hash covers the content of the desired state', () => {
  const hashOf = (text: FleetApplyProps['desiredState']) =>
    resourceOf({ ...given, desiredState: text })['triggers'];

  test.each([
    ['a comment', `# reviewed\n${desiredState}`],
    ['the layout', 'version: 1\nhosts:\n  - name: "BER-WEB-01"\n    id: 9007199254740993\n'],
    ['JSON', '{"version": 1, "hosts": [{"id": 9007199254740993, "name": "BER-WEB-01"}]}'],
  ])('%s does not change anything', (_case, text) => expect(hashOf(text)).toEqual(hashOf(desiredState)));

  test('another order of entries does not change anything', () => {
    const hosts = ['  - { id: 1, name: A }\n', '  - { id: 2, name: B }\n'];
    const [one, other] = [hosts, hosts.toReversed()].map((lines) => `version: 1\nhosts:\n${lines.join('')}`);
    expect(hashOf(one as string)).toEqual(hashOf(other as string));
  });

  test('the same fleet in TypeScript does not change anything', () => {
    const fleet = defineFleet({ hosts: [{ id: 9007199254740993n, name: 'BER-WEB-01' }] });
    expect(hashOf(fleet)).toEqual(hashOf(desiredState));
    expect(hashOf(() => defineFleet(fleet) as never)).toEqual(hashOf(desiredState));
  });

  test.each([
    ['a name', desiredState.replace('01', '02')],
    ['an attribute', desiredState.replace(' }', ', antivirus: installed }')],
    ['one more host', `${desiredState}  - { id: 5, name: X }\n`],
    ['a rule', `${desiredState}rules: [{ name: r, when: host.online, antivirus: installed }]\n`],
    ['another rule', `${desiredState}rules: [{ name: r, when: "!host.online", antivirus: installed }]\n`],
    ['a limit', `${desiredState}policy: { limits: { delete: 3 } }\n`],
    ['a protection', `${desiredState}policy: { protect: [{ when: host.online, from: [delete] }] }\n`],
    ['the account', `${desiredState}account: { companyId: 5 }\n`],
    ['known drift', `${desiredState}knownDrift: [{ host: 5, attributes: [name], reason: x }]\n`],
  ])('%s is a change', (_case, text) => expect(hashOf(text)).not.toEqual(hashOf(desiredState)));

  test('two orders of rules are two desired states', () => {
    const rules = ['{ name: a, when: host.online, group: A }', '{ name: b, when: host.online, group: B }'];
    const [one, other] = [rules, rules.toReversed()].map(
      (each) => `${desiredState}rules: [${each.join(', ')}]\n`,
    );
    expect(hashOf(one as string)).not.toEqual(hashOf(other as string));
  });
});

/** The command of a synthesized app, and the files of the stack that it names. */
function filesOf(props: FleetApplyProps) {
  const outdir = newFolder();
  const app = new App({ outdir });
  const stack = new TerraformStack(app, 'fleet');
  new NullProvider(stack, 'null');
  new FleetApply(stack, 'Offices', props);
  app.synth();
  const folder = join(outdir, 'stacks', 'fleet');
  const { resource } = JSON.parse(readFileSync(join(folder, 'cdk.tf.json'), 'utf8')) as {
    resource: { null_resource: { Offices: { provisioner: [{ 'local-exec': { command: string } }] } } };
  };
  const { command } = resource.null_resource.Offices.provisioner[0]['local-exec'];
  const files = command.match(/assets\S+/g) ?? [];
  const sources = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
  return { command, sources };
}

const limits: FleetApplyLimits = { rename: 5, move: '10%', antivirus: 0, delete: 0 };

describe('without a reviewed plan', () => {
  const bounded: FleetApplyProps = { desiredState, limits };

  test('the command runs on files of the stack, under the limits', () => {
    expect(commandOf(bounded)).toMatch(
      /^rampart apply -f (assets\/Offices_State_\w+\/[\da-f]{64})\/fleet\.yaml -f \1\/limits\.yaml --auto-approve$/,
    );
  });

  test('the files are where the command reads them, and contain what was hashed', () => {
    const { sources } = filesOf(bounded);
    const read = readDesired(sources);
    expect(read.ok && [read.value.count, read.value.at(0).name]).toEqual([1, 'BER-WEB-01']);
    expect(read.ok && read.value.limits).toMatchObject({
      rename: { kind: 'count', count: 5 },
      move: { kind: 'share', percent: 10 },
      antivirus: { kind: 'count', count: 0 },
      delete: { kind: 'count', count: 0 },
    });
  });

  test.each([
    ['is refused as a whole beyond a limit', 1, 6, ['A', 'B']],
    ['is carried out within it', 2, 0, ['C', 'D']],
  ])('what the command does %s', async (_case, rename, code, names) => {
    const twoRenames = 'version: 1\nhosts: [{ id: 1, name: C }, { id: 2, name: D }]\n';
    const { command, sources } = filesOf({ desiredState: twoRenames, limits: { ...limits, rename } });
    const { rampart, write } = await workplace();
    await write('seed.yaml', 'hosts: [{ id: 1, name: A }, { id: 2, name: B }]\n');
    const words = command.split(' ').slice(1);
    for (const [index, { file, text }] of sources.entries()) {
      await write(`${index}.yaml`, text);
      words[words.indexOf(file)] = `${index}.yaml`;
    }
    const emulated = ['--emulator=seed.yaml', '--emulator-state', 'state.yaml'];
    expect(await rampart([...words, ...emulated])).toMatchObject({ code });
    const { out } = await rampart(['hosts', '--json', '--emulator-state', 'state.yaml']);
    expect(names.filter((name) => out.includes(`"${name}"`))).toEqual(names);
  });

  test('other limits are a change', () => {
    const wider = { ...bounded, limits: { ...limits, rename: 6 } };
    expect(resourceOf(wider)['triggers']).not.toEqual(resourceOf(bounded)['triggers']);
  });

  test('in another folder the files are named from the root', () => {
    expect(commandOf({ ...bounded, workingDirectory: 'fleets' })).toMatch(
      /^rampart apply -f "\$\{abspath\(path\.module\)\}\/assets\/\S+\/fleet\.yaml" -f "\$\{abspath/,
    );
  });
});

test('terraform_data does it without a provider', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new FleetApply(stack, 'Offices', { ...given, kind: 'terraform_data' });
  const { resource } = JSON.parse(Testing.synth(stack)) as Document;
  expect(resource).toEqual({
    terraform_data: {
      Offices: {
        triggers_replace: { desired_state: expect.stringMatching(/^[\da-f]{64}$/) as unknown },
        provisioner: [{ 'local-exec': { command: 'rampart apply plan.json' } }],
      },
    },
  });
});

test('a shell reads each word as it was given', () => {
  const path = `it's "a" $HOME \`x\` \\ & plan.json`;
  const command = commandOf({ ...given, planFile: path }).replace('rampart apply', 'printf %s');
  const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(stdout).toBe(path);
});

describe('a path reaches the shell unchanged', () => {
  test.each([
    ['with blanks', 'the plan.json', "rampart apply 'the plan.json'"],
    ['with a quotation mark', "ann's.json", "rampart apply 'ann'\\''s.json'"],
    ['with a command in it', 'a.json; reboot', "rampart apply 'a.json; reboot'"],
    ['with a shell variable', '$HOME/a.json', "rampart apply '$HOME/a.json'"],
    ['with what would be a template', 'a${b}%{c}.json', "rampart apply 'a$${b}%%{c}.json'"],
  ])('%s', (_case, planFile, command) => expect(commandOf({ ...given, planFile })).toBe(command));

  test('a variable of the stack stays one', () => {
    const document = stackWith((stack) => {
      const plan = new TerraformVariable(stack, 'plan', { type: 'string' });
      new FleetApply(stack, 'Offices', { ...given, planFile: plan.stringValue });
    });
    expect(document['resource']).toMatchObject({
      null_resource: {
        Offices: { provisioner: [{ 'local-exec': { command: "rampart apply '${var.plan}'" } }] },
      },
    });
  });

  test('the folder too', () => {
    expect(resourceOf({ ...given, workingDirectory: 'fleets/${x}' })['provisioner']).toEqual([
      { 'local-exec': { command: 'rampart apply plan.json', working_dir: 'fleets/$${x}' } },
    ]);
  });
});

describe('errors are reported at once', () => {
  test.each([
    ['no bounds at all', { desiredState }, 'Offices: set planFile or limits'],
    ['a plan that must be text', { ...given, planFile: 5 }, 'Offices: planFile must be text'],
    ['a plan and limits', { ...given, limits }, 'planFile and limits exclude each other'],
    ['a limit left out', { desiredState, limits: { rename: 5, move: 5, antivirus: 5 } }, 'delete is missing'],
    ['a limit that is none', { desiredState, limits: { ...limits, move: -1 } }, 'limits.yaml:6:11: '],
    [
      'a limit that the desired state sets, too',
      { desiredState: `${desiredState}policy: { limits: { delete: 100% } }\n`, limits },
      'delete',
    ],
    ['another resource kind', { ...given, kind: 'local_file' }, 'kind is "local_file", not "null_resource"'],
    ['a promise', { ...given, desiredState: Promise.resolve({ hosts: [] }) }, 'desiredState is a promise'],
    ['an empty plan path', { ...given, planFile: ' ' }, 'planFile is empty'],
    ['a plan path like a flag', { ...given, planFile: '--auto-approve' }, 'starts with a dash like a flag'],
    ['a path of two lines', { ...given, planFile: 'a\nreboot' }, 'planFile contains a control character'],
    ['an empty folder', { ...given, workingDirectory: '' }, 'workingDirectory is empty'],
    ['no desired state', { planFile: 'plan.json' }, 'desiredState must be text'],
    ['a state with a mistake', { ...given, desiredState: 'version: 1\nhsots: []\n' }, 'desiredState:2:1: '],
    ['a desired state that is nothing', { ...given, desiredState: '' }, 'desiredState:'],
  ])('%s', (_case, props, message) => expect(make(props)).toThrow(message));

  test('all of it in one message', () =>
    expect(make({ desiredState: 'version: 2\n', planFile: '' })).toThrow(/version.*; planFile is empty/s));

  test('a desired state that is known only later is refused: there would be nothing to hash', () => {
    const late = () =>
      stackWith((stack) => {
        const text = new TerraformVariable(stack, 'text', { type: 'string' });
        new FleetApply(stack, 'Offices', { ...given, desiredState: text.stringValue });
      });
    expect(late).toThrow('desiredState must be text and not a token');
  });
});

test('isFleetApply knows its own', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  expect(FleetApply.isFleetApply(new FleetApply(stack, 'Offices', given))).toBe(true);
  expect([stack, null, undefined, {}, 'x'].some((each) => FleetApply.isFleetApply(each))).toBe(false);
});
