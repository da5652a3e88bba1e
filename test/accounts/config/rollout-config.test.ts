import { describe, expect, it } from 'vitest';
import { rolloutSettings } from '../../../src/accounts/config/rollout-config.ts';
import { decodeSource } from '../../../src/input/sources/decode-source.ts';
import { createProblemList } from '../../../src/input/values/problem-list.ts';
import { parseYaml } from '../../../src/input/yaml/parse-yaml.ts';

function read(text: string) {
  const source = decodeSource({ file: 'rampart.config.yaml', text });
  const tree = source.ok ? parseYaml(source.value) : source;
  if (!source.ok || !tree.ok) throw new Error('the test has invalid YAML');
  const problems = createProblemList();
  const rollout = rolloutSettings.read(
    { source: source.value, problems },
    { value: tree.value },
    '"rollout"',
  );
  return {
    rollout,
    problems: problems.all().map(({ place, message }) => `${place?.line}:${place?.col} ${message}`),
  };
}

describe('the rollout block of the configuration', () => {
  it('takes names and an expression together', () => {
    const text = [
      'canary: [berlin, tallinn]',
      'waves: [10%, 50%, 100%]',
      'by: region',
      'maxFailed: 2.5%',
      'pause: 10m',
      'parallel: 8',
    ].join('\n');
    expect(read(text)).toMatchObject({
      rollout: {
        canary: { kind: 'names', names: ['berlin', 'tallinn'] },
        shares: [10, 50, 100],
        by: 'region',
        maxFailed: { kind: 'share', percent: 2.5 },
        pauseMs: 600_000,
        parallel: 8,
        places: { canary: { line: 1, col: 9 }, by: { line: 3, col: 5 } },
      },
      problems: [],
    });
  });
  it('takes an expression for the canary accounts, and a number of failed accounts', () => {
    expect(read(`canary: 'tier == "test"'\nmaxFailed: 3`).rollout).toMatchObject({
      canary: { kind: 'where', where: 'tier == "test"' },
      maxFailed: { kind: 'count', count: 3 },
    });
  });
  it.each([
    ['waves: [50%, 10%, 100%]', '1:8 the shares of waves must be percentages that increase'],
    ['waves: [10%, 50%]', '1:8 the shares of waves must be percentages that increase'],
    ['waves: [10, 100]', '1:8 the shares of waves must be percentages that increase'],
    ['waves: []', '1:8 the shares of waves must be percentages that increase'],
    ['waves: 10%', '1:8 "waves" must be a list, not text'],
    ['maxFailed: 101%', '1:12 "maxFailed" must be a percentage such as 2%, or a number of accounts'],
    ['pause: soon', '1:8 "pause" must be a time such as 30s, 10m or 2h, not "soon"'],
    ['parallel: 0', '1:11 "parallel" must be a number from 1 to 64, not "0"'],
    ['parallel: 65', '1:11 "parallel" must be a number from 1 to 64, not "65"'],
    ['by: [region]', '1:5 "by" must be the name of a label, not a list'],
    ['canaries: [a]', '1:1 unknown key "canaries"'],
  ])('refuses %s at its place', (text, problem) => expect(read(text).problems[0]).toContain(problem));
});
