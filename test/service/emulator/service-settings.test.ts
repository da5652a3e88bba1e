import { describe, expect, it } from 'vitest';
import { actionRoutes } from '../../../src/service/emulator/emulated-action.ts';
import type { FaultEffect, FaultRule } from '../../../src/service/emulator/fault.ts';
import { effectSchemas, faultRuleSchema } from '../../../src/service/emulator/fault-schema.ts';
import { onceAMinute } from '../../../src/service/emulator/limiter.ts';
import { realisticLimits } from '../../../src/service/emulator/realistic-limits.ts';
import {
  mergeSettings,
  readServiceSetting,
  readServiceSettings,
} from '../../../src/service/emulator/service-settings.ts';
import { defaultSwitches } from '../../../src/service/emulator/switch-table.ts';

/** What it reads, or every message. */
const read = (text: string) => outcome(readServiceSettings(text, 'settings.yaml'));
const set = (assignment: string) => outcome(readServiceSetting(assignment, '--set'));

function outcome(result: ReturnType<typeof readServiceSetting>) {
  return result.ok ? result.value : result.problems.map((each) => each.message);
}

/** One of each kind, with every possible key. */
const effects: { readonly [Kind in FaultEffect['kind']]: Extract<FaultEffect, { readonly kind: Kind }> } = {
  latency: { kind: 'latency', ms: 5 },
  'slow-reply': { kind: 'slow-reply', ms: 5 },
  'rate-limit': { kind: 'rate-limit', retryDelay: 60 },
  status: { kind: 'status', status: 503, when: 'after', text: '<p>', headers: { location: '/' } },
  'refuse-connection': { kind: 'refuse-connection' },
  drop: { kind: 'drop', when: 'before' },
  'stale-list': { kind: 'stale-list', writes: 3 },
  'short-list': { kind: 'short-list', share: 0.5 },
  'missing-hosts': { kind: 'missing-hosts', ids: ['1', '9223372036854775807'] },
  'repeated-hosts': { kind: 'repeated-hosts', hosts: 2 },
  'truncated-body': { kind: 'truncated-body', share: 0 },
  'nothing-done': { kind: 'nothing-done' },
  drip: { kind: 'drip', bytes: 1, everyMs: 1000, endless: true },
};

/** As YAML: JSON with bare ids. */
const written = (value: unknown) => JSON.stringify(value).replaceAll(/"(\d+)"/g, '$1');

describe('a settings file', () => {
  it('can be empty', () => expect(read('{}')).toEqual({ switches: {} }));

  it('contains every switch, including its default', () =>
    expect(read(JSON.stringify(defaultSwitches))).toEqual({ switches: defaultSwitches }));

  it('may begin with a byte-order mark', () =>
    expect(read('\uFEFFretryDelay: false\n')).toEqual({ switches: { retryDelay: false } }));

  it('contains limits by name or for each action', () => {
    expect(read('limits: realistic')).toEqual({ switches: {}, limits: realisticLimits });
    expect(read('limits: none')).toEqual({ switches: {}, limits: {} });
    const limits = {
      listHosts: onceAMinute,
      moveHosts: { kind: 'fixed-window', windowMs: 1000, calls: 2 },
      renameHost: { kind: 'token-bucket', perSecond: 0.5, burst: 3 },
    };
    expect(read(written({ limits }))).toEqual({ switches: {}, limits });
  });

  it.each(Object.entries(effects))('contains the fault %s', (_, effect) =>
    expect(read(written({ faults: [{ effect }] }))).toEqual({ switches: {}, faults: [{ effect: [effect] }] }),
  );

  it('contains everything that a rule can have', () => {
    const rule: Required<FaultRule> = {
      action: ['renameHost', 'moveHosts'],
      nth: [1, 2],
      every: 3,
      from: 4,
      before: 9,
      probability: 0.5,
      seed: 7,
      effect: [effects.drop, effects.latency],
    };
    expect(Object.keys(faultRuleSchema.shape)).toEqual(Object.keys(rule));
    expect(read(written({ faults: [rule] }))).toEqual({ switches: {}, faults: [rule] });
  });

  it('accepts every action by its name', () => {
    for (const { action } of actionRoutes) {
      const faults = [{ action, effect: [effects.drop] }];
      expect(read(written({ faults }))).toEqual({ switches: {}, faults });
    }
  });

  it.each<[string, RegExp]>([
    ['jsonPrefix: evrywhere', /^jsonPrefix: expected custom-fields, everywhere or nowhere$/],
    ['maxBatch: 0', /^maxBatch: expected a whole number of at least 1, or null$/],
    ['reportReadyAfterMs: -1', /^reportReadyAfterMs: expected milliseconds/],
    ['vendorWord: ACME', /^vendorWord: expected a word/],
    ['retryDelay: "true"', /^retryDelay: expected true or false$/],
    ['limits: sometimes', /^limits: expected none, realistic, or a limit for each action/],
    ['limits: { listHost: { kind: sliding-window } }', /^limits does not support the key "listHost"$/],
    ['limits: { listHosts: { kind: sliding } }', /^limits\.listHosts\.?.*: expected a limit whose kind is/],
    [
      'limits: { listHosts: { kind: fixed-window, calls: 1 } }',
      /^limits\.listHosts\.windowMs: expected a whole number of at least 1$/,
    ],
    ['faults: { effect: { kind: drop } }', /^faults: expected a list of faults$/],
    ['faults: [{}]', /^faults\.0\.effect/],
    ['faults: [{ effect: { kind: dorp } }]', /kind: expected one of the faults latency, /],
    ['faults: [{ effect: { kind: drop } }]', /when: expected before or after$/],
    [
      'faults: [{ effect: { kind: drop, when: after, then: 1 } }]',
      /^faults\.0\.effect\.0 does not support the key "then"/,
    ],
    ['faults: [{ action: rename, effect: [] }]', /expected reads, writes, an action or a list of actions$/],
    ['- jsonPrefix', /^this file: expected a mapping$/],
    ['a: [', /./],
  ])('with %s is refused with its place', (text, message) => {
    const result = readServiceSettings(text, 'settings.yaml');
    expect(result.ok).toBe(false);
    expect(result.problems[0]?.message).toMatch(message);
    expect(result.problems[0]).toMatchObject({
      code: 'configuration',
      place: { file: 'settings.yaml', line: 1 },
    });
  });

  it('suggests the intended key', () => {
    const [first] = readServiceSettings('jsonPrefx: nowhere', 'settings.yaml').problems;
    expect(first?.hint).toBe('did you mean "jsonPrefix"?');
  });
});

describe('a setting of a command line', () => {
  it.each([
    ['retryAfterHeader=true', { retryAfterHeader: true }],
    ['wrongMethod=405', { wrongMethod: '405' }],
    ['maxBatch=null', { maxBatch: null }],
    ['vendorWord=acme', { vendorWord: 'acme' }],
    [' installTakesMs = 500 ', { installTakesMs: 500 }],
  ])('%s is a switch', (assignment, switches) => expect(set(assignment)).toEqual({ switches }));

  it('contains faults in one line', () => {
    expect(set('faults=[{ action: writes, effect: { kind: nothing-done } }]')).toEqual({
      switches: {},
      faults: [{ action: 'writes', effect: [{ kind: 'nothing-done' }] }],
    });
  });

  it.each(['', 'jsonPrefix', '=x'])('"%s" is refused, because it sets nothing', (assignment) =>
    expect(set(assignment)).toEqual([`--set needs key=value, not "${assignment}"`]),
  );

  it("can't set two keys", () => {
    expect(set('retryDelay=true\nretryAfterHeader: true')).toEqual({
      switches: { retryDelay: true, retryAfterHeader: true },
    });
  });
});

it('later settings replace earlier ones, key by key', () => {
  const [one, two, three] = [
    '{ retryDelay: false, limits: realistic }',
    'limits: none',
    'retryDelay: true',
  ].map((text) => readServiceSettings(text, 'settings.yaml'));
  const all = [one, two, three].flatMap((each) => (each?.ok === true ? [each.value] : []));
  expect(mergeSettings(all)).toEqual({ switches: { retryDelay: true }, limits: {} });
});

it('every effect is described', () => {
  for (const schema of Object.values(effectSchemas)) expect(schema.description?.length).toBeGreaterThan(20);
});
