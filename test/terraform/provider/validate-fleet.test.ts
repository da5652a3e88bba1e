import { describe, expect, test } from 'vitest';
import { unknownValue } from '../../../src/terraform/protocol/value/value.ts';
import { rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

async function validate(config: Parameters<ReturnType<typeof resourceCalls>['validate']>[0]) {
  const core = await rampartCore({});
  const shown = await resourceCalls(core, 'rampart_fleet').validate(config);
  expect(core.emulator.requests).toEqual([]);
  return shown;
}

describe('terraform validate of a rampart_fleet', () => {
  test.each([
    ['an unknown key', 'hosts:\n  - { id: 1, nmae: A }', 'nmae', 'fleet.yaml:3'],
    ['a value of the wrong type', 'hosts:\n  - { id: 1, ensure: gone }', 'ensure', 'fleet.yaml:3'],
    [
      'a condition that is no CEL',
      'rules:\n  - { name: r, when: "host.name ==", group: A }',
      'a value is missing after ==',
      'fleet.yaml:3',
    ],
    [
      'two entries for one host',
      'hosts:\n  - { id: 1, name: A }\n  - { id: 1, name: B }',
      'host 1',
      'fleet.yaml:4',
    ],
  ])('finds %s in the content, with its place, and sends nothing', async (_what, yaml, word, place) => {
    const { errors, about } = await validate({ content: `version: 1\n${yaml}\n` });
    expect(errors.join('\n')).toMatch(new RegExp(word, 'i'));
    expect(errors.join('\n')).toContain(place);
    expect(about[0]).toBe('content');
  });

  test('finds a condition that is not valid CEL in a block, with its path', async () => {
    const { errors } = await validate({
      rule: [{ name: 'r', when: 'host.nmae == "A"', antivirus: 'installed' }],
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('In rule[0]');
  });

  test('accepts a desired state without faults, and one that is not known yet', async () => {
    expect(await validate({ content: 'version: 1\nhosts:\n  - { id: 1, name: A }\n' })).toMatchObject({
      errors: [],
      warnings: [],
    });
    expect((await validate({ content: unknownValue() })).errors).toEqual([]);
  });
});
