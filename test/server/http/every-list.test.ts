import { beforeAll, describe, expect, test } from 'vitest';
import { serverApiDocument } from '../../../src/server/http/open-api.ts';
import { routes } from '../../../src/server/start/routes.ts';
import { givenRollout } from '../../given/rollouts.ts';
import { givenApi } from './given-api.ts';

const api = givenApi();
const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface List {
  readonly id: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly answer: { readonly properties: Readonly<Record<string, unknown>> };
}

/** Every operation of the OpenAPI document whose response has items. */
const lists: readonly List[] = Object.entries(
  serverApiDocument(routes)['paths'] as Record<string, { readonly get?: Operation }>,
).flatMap(([path, { get }]) => {
  const answer = get?.responses['200'] as
    | { content?: { 'application/json'?: { schema: { properties?: Record<string, unknown> } } } }
    | undefined;
  const { properties } = answer?.content?.['application/json']?.schema ?? {};
  if (get === undefined || properties?.['items'] === undefined) return [];
  const parameters = get.parameters.map(({ name }) => name);
  return [{ id: get.operationId, path: path.replace('/api/v1', ''), parameters, answer: { properties } }];
});

/** The lines of a run are read by their number, so that a reader can follow the end of the list. */
const byNumber = ['listRunEvents'];

/** The plan and the run whose lists are read. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  const { store, state } = api;
  await store.accounts.recordCheck({
    account: 'berlin',
    health: 'drifted',
    fleet: {
      digest: 'more drift',
      hosts: () => [100, 101, 102].map((id) => hostRow(String(id))),
      count: 3,
      drift: ['100', '101', '102'].map((id) => driftRow(id)),
    },
    causes: ['one', 'two', 'three'].map((id) => ({ id, kind: 'file', title: `rule "${id}"` })),
    commit: null,
    changes: 1,
    irreversible: 0,
    failure: null,
    nextCheckAt: null,
  });
  await store.ignores.add({
    account: 'berlin',
    differences: ['100', '101', '102'].map((hostId) => ({ hostId, attribute: 'name' })),
    reason: 'known',
    by,
    until: new Date(Date.now() + 3_600_000),
  });
  for (const account of ['berlin', 'lisbon', 'denver'] as const) {
    const { id: plan } = await api.propose(account);
    if (account !== 'berlin') continue;
    for (const reason of ['one', 'two', 'three']) {
      const run = await store.runs.queue({ account, plan, by, reason, steps: 1 });
      await store.runs.log(
        run?.id ?? '',
        [1, 2, 3].map((n) => ({ type: 'step', text: `line ${n}` })),
      );
      await store.runs.change(run?.id ?? '', { state: 'done' });
      ids['run'] = run?.id ?? '';
    }
    ids['plan'] = plan;
  }
  for (const n of [1, 2, 3]) {
    await store.pauses.add({
      scope: `account:${n === 1 ? 'berlin' : 'denver'}`,
      by,
      reason: `${n}`,
      until: null,
    });
    await store.tokens.create({ name: `t${n}`, hash: `h${n}`, grants: [], createdBy: by, lifeMs: 60_000 });
    await state.rollouts.create(
      givenRollout({ canary: ['berlin'] }, { rollout_id: `20261121T09000000${n}Z-00000${n}` }),
    );
    await api.post('/accounts/check', { all: true, reason: `check ${n}` });
    await store.notifications.enqueue([
      { channel: 'ops', kind: 'drifted', account: 'berlin', topic: `cause ${n}`, facts: {}, delayMs: 0 },
    ]);
  }
}, 60_000);

function hostRow(hostId: string) {
  return { hostId, name: `BER-${hostId}`, group: 'Web', state: 'online', facts: {} };
}

function driftRow(hostId: string) {
  return {
    hostId,
    name: `BER-${hostId}`,
    attribute: 'name' as const,
    desired: `KIOSK-${hostId}`,
    last: null,
    live: `BER-${hostId}`,
    changed: 'fleet' as const,
    cause: hostId === '100' ? 'one' : hostId === '101' ? 'two' : 'three',
    ignored: false,
  };
}

const pathOf = ({ path }: List) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'name' ? 'berlin' : (ids[path.startsWith('/runs') ? 'run' : 'plan'] ?? ''),
  );

describe('every list of the API', () => {
  test('is found in the OpenAPI document', () => {
    expect(lists.length).toBeGreaterThan(12);
    expect(lists.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['listTokens', 'listPauses', ...byNumber]),
    );
  });

  test.each(lists.filter(({ id }) => !byNumber.includes(id)))(
    '$id takes a cursor and a limit, and pages through all rows once',
    async (list) => {
      expect(list.parameters).toEqual(expect.arrayContaining(['cursor', 'limit']));
      expect(list.answer.properties).toHaveProperty('next');
      const path = pathOf(list);
      const all = await api.get(`${path}?limit=500`);
      expect([path, all.status, all.body.items.length > 2, all.body.next]).toEqual([
        path,
        200,
        true,
        undefined,
      ]);
      const walked: unknown[] = [];
      let next: string | undefined;
      do {
        const page = await api.get(
          `${path}?limit=1${next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`}`,
        );
        expect([page.status, page.body.items.length]).toEqual([200, 1]);
        walked.push(...page.body.items);
        next = page.body.next;
      } while (next !== undefined && walked.length <= all.body.items.length);
      expect(walked).toEqual(all.body.items);
      const wrong = await api.get(`${path}?cursor=nothing`);
      expect([path, wrong.status]).toEqual([path, 422]);
    },
  );

  test('of numbered lines pages through all of them once', async () => {
    for (const list of lists.filter(({ id }) => byNumber.includes(id))) {
      const path = pathOf(list);
      const all = (await api.get(`${path}?after=-1`)).body.items as { seq: number }[];
      const walked: { seq: number }[] = [];
      for (let page: typeof walked | undefined; page === undefined || page.length > 0; walked.push(...page))
        page = (await api.get(`${path}?limit=1&after=${walked.at(-1)?.seq ?? -1}`)).body
          .items as typeof walked;
      expect([all.length > 2, walked]).toEqual([true, all]);
    }
  });
});
