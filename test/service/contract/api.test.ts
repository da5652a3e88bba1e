import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { actions, api } from '../../../src/service/contract/api.ts';
import type { Endpoint } from '../../../src/service/contract/endpoint.ts';
import { failuresOfAll, specTable } from './spec-table.ts';

const endpointOf = (action: (typeof actions)[number]): Endpoint => api[action];

test('the table contains exactly the nineteen endpoints and the authentication check', () => {
  expect([...actions].sort()).toEqual(specTable.map((row) => row.action).sort());
  expect(specTable).toHaveLength(20);
});

describe.each(specTable)('$action', (row) => {
  const endpoint = endpointOf(row.action);

  test(`is ${row.method} ${row.path}`, () =>
    expect({ method: endpoint.method, path: endpoint.path }).toEqual({ method: row.method, path: row.path }));

  test('returns exactly the statuses of the specification', () => {
    const expected = [...new Set([row.success, ...row.failures, ...failuresOfAll])].sort((a, b) => a - b);
    expect(Object.keys(endpoint.responses).map(Number)).toEqual(expected);
  });

  test('has no body with 204, and one with every other status', () => {
    for (const [status, { body }] of Object.entries(endpoint.responses)) {
      expect(body === null, status).toBe(status === '204');
    }
  });

  test('sends exactly the fields of the specification', () => {
    const shape =
      endpoint.request === null ? null : Object.keys((endpoint.request() as z.ZodObject).shape).sort();
    expect(shape).toEqual(row.request);
  });

  test('is marked as limited if it can return 429', () =>
    expect(endpoint.rateLimited).toBe(429 in endpoint.responses));

  test('declares exactly the parameters of its path', () => {
    const inPath = [...endpoint.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
    expect(Object.keys(endpoint.parameters)).toEqual(inPath);
  });

  test('refers to its section in the specification', () => {
    const place = typeof row.number === 'number' ? `#${row.number}` : row.number;
    expect(endpoint.spec).toBe(`section 4, ${place}`);
  });
});

test.each([
  [
    'read',
    specTable.filter((row) => row.method === 'GET' && !row.path.includes('{')).map((row) => row.action),
  ],
  ['absolute', ['renameHost', 'moveHosts', 'refreshAntivirusStatus']],
  ['absent-is-done', ['deleteHosts']],
  [
    'never',
    [
      'connectHost',
      'createHardwareReport',
      'createSystemReport',
      'installAntivirus',
      'readHardwareReport',
      'readSystemReport',
    ],
  ],
] as const)('the meaning of a lost response %s', (repetition, expected) => {
  const found = actions.filter((action) => endpointOf(action).repetition === repetition);
  expect([...found].sort()).toEqual([...expected].sort());
});
