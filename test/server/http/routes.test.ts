import { describe, expect, test } from 'vitest';
import { serverActions } from '../../../src/api/access/action.ts';
import { createHttp } from '../../../src/server/start/create-http.ts';
import { routes } from '../../../src/server/start/routes.ts';
import { httpParts } from './given.ts';

describe('the route table of the server', () => {
  test('declares an action and a unique operation for every route', () => {
    const ids = routes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, access } of routes) expect(serverActions, id).toContain(access.action);
  });

  test('returns 401 on every route for a request without a token', async () => {
    for (const { path, method } of routes) {
      // One address may not send this many requests without a token.
      const answer = await createHttp(httpParts()).fetch(
        new Request(`http://localhost${path.replaceAll(/\{\w+\}/g, 'x')}`, {
          method: method.toUpperCase(),
          headers: { host: 'localhost' },
        }),
      );
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  test.each([
    ['is refused', 'localhost', 401],
    ['names another server', 'elsewhere.example.com', 400],
    ['fails', 'localhost', 500],
  ])('counts a request that %s as finished, so that it no longer delays checks', async (_, host, status) => {
    const held: string[] = [];
    const parts = httpParts({
      onRequest() {
        held.push('asked');
        return () => held.push('answered');
      },
      ...(status === 500 ? { identify: () => Promise.reject(new Error('a defect')) } : {}),
    });
    const asked = createHttp(parts).fetch(
      new Request('http://localhost/api/v1/me', { headers: { host, authorization: 'Bearer x' } }),
    );
    expect((await asked).status).toBe(status);
    expect(held).toEqual(['asked', 'answered']);
  });

  test.each([
    ['a defect', new Error('a defect'), 500, 1],
    ['a database that is away', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 503, 0],
  ])('reports %s as a failure of the server, or as a temporary one', async (_, fault, status, reported) => {
    const faults: unknown[] = [];
    const parts = httpParts({ identify: () => Promise.reject(fault), onFault: (each) => faults.push(each) });
    const request = new Request('http://localhost/api/v1/me', { headers: { host: 'localhost' } });
    expect((await createHttp(parts).fetch(request)).status).toBe(status);
    expect(faults).toHaveLength(reported);
  });
});
