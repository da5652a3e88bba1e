import { describe, expect, it } from 'vitest';
import { approversOf } from '../../../../src/server/approvals/rules/approvers.ts';
import type { LoginSettings, RoleRule } from '../../../../src/server/settings/server-settings.ts';

const place = { file: 'rampart.config.yaml', line: 1, col: 1 };
const labels = { tier: 'gold' };
const account = { name: 'contoso', labels, configuredLabels: new Set(['tier']) };
const rule = (group: string, role: RoleRule['role'], where?: string): RoleRule => ({
  group,
  role,
  place,
  ...(where === undefined ? {} : { where }),
});
const login = (...roles: readonly RoleRule[]) => ({ roles }) as unknown as LoginSettings;

describe('who may approve the plans of an account', () => {
  it.each([
    ['nobody by name without a login', undefined, []],
    ['groups whose role approves', login(rule('ops', 'operator'), rule('leads', 'approver')), ['leads']],
    ['administrators too', login(rule('root', 'admin'), rule('eyes', 'viewer')), ['root']],
    ['only groups whose rule selects it', login(rule('silver', 'approver', 'tier == "silver"')), []],
    ['a group once', login(rule('leads', 'approver', 'tier == "gold"'), rule('leads', 'admin')), ['leads']],
    ['nobody by a rule with a fault', login(rule('leads', 'approver', 'tier ==')), []],
  ] as const)('are %s', (_, given, groups) => {
    expect(approversOf(given === undefined ? {} : { login: given }, account)).toEqual(
      groups.map((name) => ({ kind: 'group', name })),
    );
  });

  it('include people who decide in pull requests of its repository', () => {
    const reviewer = (name: string, where?: string) => ({
      id: name,
      name,
      email: `${name}@example.com`,
      place,
      ...(where === undefined ? {} : { where }),
    });
    const reviewers = [reviewer('Ada'), reviewer('Grace', 'tier == "silver"')];
    expect(approversOf({ reviewers }, account)).toEqual([{ kind: 'person', name: 'Ada' }]);
  });
});
