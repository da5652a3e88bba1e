import { describe, expect, test } from 'vitest';
import {
  includesRole,
  isAllowed,
  type Role,
  roles,
  type ServerAction,
  serverActions,
} from '../../../src/api/access/action.ts';

/** Written by hand: the roles that may do each action. */
const table: Readonly<Record<ServerAction, readonly Role[]>> = {
  read: ['viewer', 'planner', 'approver', 'operator', 'admin'],
  'read-settings': ['viewer', 'planner', 'approver', 'operator', 'admin'],
  'read-audit': ['viewer', 'planner', 'approver', 'operator', 'admin'],
  check: ['planner', 'operator', 'admin'],
  plan: ['planner', 'admin'],
  comment: ['planner', 'approver', 'operator', 'admin'],
  rehearse: ['planner', 'approver', 'operator', 'admin'],
  approve: ['approver', 'admin'],
  run: ['operator', 'admin'],
  stop: ['operator', 'admin'],
  undo: ['operator', 'admin'],
  rollout: ['operator', 'admin'],
  pause: ['operator', 'admin'],
  'override-window': ['operator', 'admin'],
  redrive: ['operator', 'admin'],
  'manage-tokens': ['admin'],
};

test('the actions are these, each in its place', () => {
  expect(serverActions).toEqual([
    'read',
    'read-settings',
    'read-audit',
    'check',
    'plan',
    'comment',
    'rehearse',
    'approve',
    'run',
    'stop',
    'undo',
    'rollout',
    'pause',
    'override-window',
    'redrive',
    'manage-tokens',
  ]);
});

describe('the actions of a role', () => {
  describe.each(roles)('%s', (role) => {
    test.each(serverActions)('may do %s exactly if the table says so', (action) => {
      expect(isAllowed(role, action)).toBe(table[action].includes(role));
    });
  });

  test('a role includes another one only if it is admin, or if the other role only reads', () => {
    const contained = roles.flatMap((role) =>
      roles.filter((other) => includesRole(role, other)).map((other) => `${role} > ${other}`),
    );
    expect(contained).toEqual([
      'viewer > viewer',
      'planner > viewer',
      'planner > planner',
      'approver > viewer',
      'approver > approver',
      'operator > viewer',
      'operator > operator',
      'admin > viewer',
      'admin > planner',
      'admin > approver',
      'admin > operator',
      'admin > admin',
    ]);
  });
});
