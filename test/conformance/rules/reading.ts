import { expect } from 'vitest';
import { api } from '../../../src/service/contract/api.ts';
import type { Endpoint } from '../../../src/service/contract/endpoint.ts';
import { basic } from '../../service/emulator/calls.ts';
import { readingRule } from '../rule.ts';

/** The actions that only read and have no parameter: their responses have the shape of the contract. */
const plainReads = Object.entries<Endpoint>(api).filter(
  ([, { method, parameters }]) => method === 'GET' && Object.keys(parameters).length === 0,
);

export const readingRules = [
  ...plainReads.map(([action, { spec, path, responses }]) =>
    readingRule(spec, `${action} has the shape of the contract`, async (send) => {
      const reply = await send('GET', path);
      expect(reply.status).toBe(200);
      expect(responses[200]?.body?.().safeParse(reply.json).error?.issues).toBeUndefined();
    }),
  ),
  readingRule('section 4, authentication check', 'valid credentials are a success', async (send) => {
    expect((await send('GET', '/public-api/v1/authentication')).json.success).toBe(true);
  }),
  readingRule('section 5', 'a wrong key is not authenticated', async (send) => {
    const reply = await send('GET', '/public-api/v1/authentication', undefined, {
      headers: { authorization: basic('1', 'x'.repeat(128)) },
    });
    if (reply.status === 200) expect(reply.json.success).toBe(false);
    else expect(reply.status).toBe(401);
  }),
  readingRule('section 2', 'a group with the id -1 and no name is in the list', async (send) => {
    const { groups } = (await send('GET', '/public-api/v2/hostswithgroups')).json;
    expect(groups).toContainEqual(expect.objectContaining({ id: -1, name: null }));
  }),
  readingRule('section 4, #1 and #2', 'both lists show the same hosts', async (send) => {
    const idsOf = (reply: { json: { hosts: { id: unknown }[] } }) =>
      new Set(reply.json.hosts.map((host) => host.id));
    const plain = await send('GET', '/public-api/v2/hosts');
    expect(idsOf(await send('GET', '/public-api/v2/hostswithgroups'))).toEqual(idsOf(plain));
  }),
  readingRule('section 4, #16', 'values of custom fields are resolved by the categories', async (send) => {
    const { metadataCategories } = (await send('GET', '/public-api/v1/hosts/custom-fields/categories')).json;
    const known = new Set(
      metadataCategories.flatMap((category: { id: string; values: { id: string }[] }) =>
        category.values.map((value) => `${category.id} ${value.id}`),
      ),
    );
    const { hosts } = (await send('GET', '/public-api/v1/hosts/custom-fields')).json;
    for (const host of hosts) {
      for (const { categoryId, valueId } of host.metadata)
        expect(known).toContain(`${categoryId} ${valueId}`);
    }
  }),
  readingRule('section 7, 404', 'an unknown action is not found', async (send) => {
    expect((await send('GET', '/public-api/v1/no-such-action')).status).toBe(404);
  }),
  readingRule('section 3', 'an unknown report token is not found', async (send) => {
    for (const kind of ['hardware', 'system']) {
      expect((await send('GET', `/public-api/v1/inventory/${kind}/reports/no-such-token`)).status).toBe(404);
    }
  }),
];
