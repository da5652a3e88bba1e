import { describe, expect, it } from 'vitest';
import {
  planChecksum,
  printPlan,
  readPlan,
  toPlanDocument,
} from '../../../src/core/plan/document/plan-document.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet, named } from '../../given/fleet.ts';

const plan = makePlan({
  desired: givenDesired(
    [
      { id: '9223372036854775807', name: 'B' },
      { id: 2, ensure: 'absent' },
    ],
    noLimits,
  ),
  observed: givenFleet([
    { id: '9223372036854775807', name: 'A' },
    { id: 2, name: 'B' },
  ]),
  account: { companyId: '42', service: 'https://service.example' },
  now: at,
});
const text = printPlan(plan);

function codeOf(edited: string): string | undefined {
  return readPlan(edited, 'plan.json').problems[0]?.code;
}

describe('the plan document', () => {
  it('spells its fields in snake_case and its ids as decimal strings', () => {
    expect(toPlanDocument(plan)).toMatchObject({
      format_version: '5.0',
      account: { company_id: '42' },
      steps: [
        { kind: 'temporary-rename', final_name: 'B' },
        { kind: 'rename', host_id: '9223372036854775807' },
        { kind: 'delete' },
      ],
    });
  });
  it('is the same to the byte for the same inputs', () => expect(printPlan(plan)).toBe(text));

  const broken: readonly [string, string, string][] = [
    ['text that is not JSON', 'hello', 'plan-file-invalid'],
    ['an empty file', '', 'plan-file-invalid'],
    ['JSON of something else', '{"hosts":[]}', 'plan-file-invalid'],
    ['null', 'null', 'plan-file-invalid'],
    ['an earlier major version', text.replace('"5.0"', '"2.0"'), 'plan-file-version'],
    ['a later major version', text.replace('"5.0"', '"6.0"'), 'plan-file-version'],
    ['an edited name', text.replaceAll('"to": "B"', '"to": "C"'), 'plan-file-checksum'],
    ['an added step', text.replace('"steps": [', '"steps": [{},'), 'plan-file-invalid'],
    ['an edited approval', text.replace('"acks": {}', '"acks": {"delete": 1}'), 'plan-file-checksum'],
    ['an edited verdict', text.replace('"applicable": true', '"applicable": false'), 'plan-file-checksum'],
    ['an id as a number', text.replace('"host_id": "2"', '"host_id": 2'), 'plan-file-invalid'],
    ['no checksum', text.replace(/,\s*"checksum": "\w+"/, ''), 'plan-file-invalid'],
  ];
  it.each(broken)('%s is refused', (_, edited, code) => {
    expect(edited).not.toBe(text);
    expect(codeOf(edited)).toBe(code);
  });
  it('has a checksum that only approved content changes', () => {
    const checksum = (hosts: readonly GivenHost[], name: string) => {
      const desired = givenDesired([{ id: 1, name }], noLimits);
      const account = { companyId: '42', service: 'emulator' };
      return planChecksum(makePlan({ desired, observed: givenFleet(hosts), account, now: at }));
    };
    const reviewed = checksum([{ id: 1, name: 'A' }], 'B');
    expect(checksum(named('A', 'enrolled'), 'B')).toBe(reviewed);
    expect(checksum([{ id: 1, name: 'A' }], 'C')).not.toBe(reviewed);
    expect(checksum([{ id: 1, name: 'X' }], 'B')).not.toBe(reviewed);
  });
});
