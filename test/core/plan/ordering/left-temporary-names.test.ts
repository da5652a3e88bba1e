import { describe, expect, it } from 'vitest';
import { temporaryName } from '../../../../src/core/model/temporary-name.ts';
import { type GivenHost, hostId } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';

const free = { taken: new Set<string>() };
const left = (kind: 'rename' | 'deletion', id: number) => temporaryName(kind, hostId(id), 'WEB-01', free);

function warningsOf(hosts: readonly GivenHost[], entries: Parameters<typeof givenPlan>[0]['entries'] = []) {
  return givenPlan({ entries, hosts }).problems.map(({ severity, code, message, hostIds }) => [
    `${severity} ${code}: ${message}`,
    hostIds?.join(','),
  ]);
}

describe('a temporary name that a plan leaves', () => {
  it.each([
    ['rename', 'has a temporary name; its intended name is "WEB-01"'],
    ['deletion', 'has a temporary name before deletion; its previous name is "WEB-01"'],
  ] as const)('is reported with the name that the host had or should get: %s', (kind, what) => {
    expect(warningsOf([{ id: 1, name: left(kind, 1) }])).toEqual([
      [`warning temporary-name-left: host 1 ${what}, and this plan leaves it unchanged`, '1'],
    ]);
  });

  it('only looks like one if Rampart did not give it, also if an entry gives it', () => {
    const lookalike = `warning lookalike-name: host 1 has the name "${left('rename', 2)}", which looks like a temporary name of Rampart, but Rampart did not create it`;
    expect(warningsOf([{ id: 1, name: left('rename', 2) }])).toEqual([[lookalike, '1']]);
    const entries = [
      { id: 1, name: left('rename', 2) },
      { id: 3, name: 'OTHER' },
    ];
    const hosts = [1, 3].map((id) => ({ id, name: `PC-${id}` }));
    expect(warningsOf(hosts, entries)).toEqual([[lookalike, '1']]);
  });
});
