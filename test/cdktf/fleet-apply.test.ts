import { createHash } from 'node:crypto';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { TerraformStack, TerraformVariable, Testing } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { FleetApply, type FleetApplyProps } from '../../src/cdktf/index.ts';

const desiredState = 'version: 1\nhosts:\n  - { id: 9007199254740993, name: BER-WEB-01 }\n';
const given: FleetApplyProps = { desiredState, planFile: 'plan.json' };

function stackWith(make: (stack: TerraformStack) => void): Record<string, unknown> {
  const app = Testing.app();
  const stack = new TerraformStack(app, 'fleet');
  new NullProvider(stack, 'null');
  make(stack);
  return JSON.parse(Testing.synth(stack, true)) as Record<string, unknown>;
}

function resourceOf(props: FleetApplyProps): Record<string, unknown> {
  const document = stackWith((stack) => new FleetApply(stack, 'Offices', props));
  const { null_resource } = document['resource'] as { readonly null_resource: Record<string, object> };
  const { '//': _, ...resource } = null_resource['Offices'] as Record<string, unknown>;
  return resource;
}

const make = (props: object) => () => resourceOf(props as FleetApplyProps);

test('a stack holds one null_resource that runs the plan when the desired state has changed', () => {
  expect(resourceOf(given)).toEqual({
    triggers: { desired_state: createHash('sha256').update(desiredState).digest('hex') },
    provisioner: [{ 'local-exec': { command: 'rampart apply plan.json' } }],
  });
});

test('the resource has a readable address, and the provider is the only one', () => {
  const document = stackWith((stack) => new FleetApply(stack, 'Offices', given));
  expect(document['resource']).toEqual({ null_resource: { Offices: expect.anything() } });
  expect(document['provider']).toEqual({ null: [{}] });
});

test('two in one stack do not meet', () => {
  const document = stackWith((stack) => {
    new FleetApply(stack, 'Berlin', given);
    new FleetApply(stack, 'Lisbon', { ...given, planFile: 'lisbon.json' });
  });
  expect(Object.keys((document['resource'] as { null_resource: object }).null_resource)).toEqual([
    'Berlin',
    'Lisbon',
  ]);
});

test('another desired state has another trigger', () => {
  const other = resourceOf({ ...given, desiredState: `${desiredState}# reviewed\n` });
  expect(other['triggers']).not.toEqual(resourceOf(given)['triggers']);
});

describe('a path comes to the shell as it is', () => {
  test.each([
    ['with blanks', 'the plan.json', "rampart apply 'the plan.json'"],
    ['with a quotation mark', "ann's.json", "rampart apply 'ann'\\''s.json'"],
    ['with a command in it', 'a.json; reboot', "rampart apply 'a.json; reboot'"],
    ['with a shell variable', '$HOME/a.json', "rampart apply '$HOME/a.json'"],
    ['with what would be a template', 'a${b}%{c}.json', "rampart apply 'a$${b}%%{c}.json'"],
  ])('%s', (_case, planFile, command) => {
    expect(resourceOf({ ...given, planFile })['provisioner']).toEqual([{ 'local-exec': { command } }]);
  });

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

describe('what is wrong is told at once', () => {
  test.each([
    ['no plan', { desiredState }, 'Offices: planFile is no text'],
    ['an empty plan path', { ...given, planFile: ' ' }, 'planFile is empty'],
    ['a plan path like a flag', { ...given, planFile: '--auto-approve' }, 'planFile begins like a flag'],
    ['a plan path of two lines', { ...given, planFile: 'a\nreboot' }, 'planFile holds a control character'],
    ['an empty folder', { ...given, workingDirectory: '' }, 'workingDirectory is empty'],
    ['no desired state', { planFile: 'plan.json' }, 'desiredState is no text'],
    [
      'a desired state with a mistake',
      { ...given, desiredState: 'version: 1\nhsots: []\n' },
      'desiredState:2:1: ',
    ],
    ['a desired state that is nothing', { ...given, desiredState: '' }, 'desiredState:'],
  ])('%s', (_case, props, message) => {
    expect(make(props)).toThrow(message);
  });

  test('all of it in one message', () => {
    expect(make({ desiredState: 'version: 2\n', planFile: '' })).toThrow(/version.*; planFile is empty/s);
  });

  test('a desired state that is known only later is refused: there would be nothing to hash', () => {
    const late = () =>
      stackWith((stack) => {
        const text = new TerraformVariable(stack, 'text', { type: 'string' });
        new FleetApply(stack, 'Offices', { ...given, desiredState: text.stringValue });
      });
    expect(late).toThrow('desiredState is a token');
  });
});

test('isFleetApply knows its own', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  expect(FleetApply.isFleetApply(new FleetApply(stack, 'Offices', given))).toBe(true);
  expect([stack, null, undefined, {}, 'x'].some((each) => FleetApply.isFleetApply(each))).toBe(false);
});
