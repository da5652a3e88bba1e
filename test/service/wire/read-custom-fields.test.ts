import { describe, expect, it } from 'vitest';
import type { RequestMessage } from '../../../src/service/contract/message.ts';
import { type CustomFields, readCustomFields } from '../../../src/service/wire/read-custom-fields.ts';
import { hostId } from '../../given/fleet.ts';
import { answer, scriptedService, type Turn } from '../../given/scripted-service.ts';

const site = {
  id: 'c1',
  name: 'Site',
  values: [
    { id: 'v1', name: 'Wien' },
    { id: 'v2', name: 'Oslo' },
  ],
};
const owner = { id: 'c2', name: 'Owner', values: [{ id: 'v3', name: 'Sales' }] };
const label = (categoryId: string, valueId: string) => ({ categoryId, valueId });

/** A service with given responses to the two lists, in any order of requests. */
function given(categories: Turn, fields: Turn) {
  const service = scriptedService(
    [
      async (request: RequestMessage) => {
        const turn = request.path.endsWith('/categories') ? categories : fields;
        if (turn instanceof Error) throw turn;
        return typeof turn === 'function' ? turn(request) : turn;
      },
    ],
    { retries: 0 },
  );
  return { ...service, read: () => readCustomFields(service.client, { clock: service.clock }) };
}

const listOf = (...metadataCategories: readonly object[]) => answer(200, { metadataCategories });
const hosts = (...all: readonly object[]) => answer(200, { hosts: all });

async function fieldsOf(categories: Turn, fields: Turn) {
  const read = await given(categories, fields).read();
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return { fields: read.value, problems: read.problems };
}

describe('reading custom fields', () => {
  it('resolves the ids of categories and values to their names', async () => {
    const { fields, problems } = await fieldsOf(
      listOf(site, owner),
      hosts(
        { id: 1, metadata: [label('c1', 'v2'), label('c2', 'v3')] },
        { id: 2, metadata: [label('c1', 'v1')] },
        { id: 3, metadata: [] },
      ),
    );
    expect(recordsOf(fields, 1, 2, 3, 4)).toEqual([
      { Site: 'Oslo', Owner: 'Sales' },
      { Site: 'Wien' },
      {},
      undefined,
    ]);
    expect(problems).toEqual([]);
    expect(fields.categories.map(({ name }) => name)).toEqual(['Site', 'Owner']);
    expect(fields.lists).toEqual([
      { list: 'custom-field-categories', at: '2026-01-01T00:00:00.000Z' },
      { list: 'custom-fields', at: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  it('skips the prefix, and keeps ids beyond 2^53 exact', async () => {
    const { fields } = await fieldsOf(
      answer(200, `)]}',\n${JSON.stringify({ metadataCategories: [site] })}`),
      answer(
        200,
        `)]}',\n{"hosts":[{"id":9223372036854775807,"metadata":[{"categoryId":"c1","valueId":"v1"}]}]}`,
      ),
    );
    expect(fields.customFieldsOf(hostId('9223372036854775807'))).toEqual({ Site: 'Wien' });
  });

  it('requests both lists in parallel', async () => {
    const waiting: (() => void)[] = [];
    const held =
      (body: object): Turn =>
      () =>
        new Promise((resolve) => {
          waiting.push(() => resolve(answer(200, body)));
          // Neither gets a response before both have been requested.
          if (waiting.length === 2) for (const go of waiting) go();
        });
    const service = given(held({ metadataCategories: [] }), held({ hosts: [] }));
    expect((await service.read()).ok).toBe(true);
  });

  it('keeps an id without a category unchanged, and reports it once', async () => {
    const { fields, problems } = await fieldsOf(
      listOf(site),
      hosts(
        { id: 1, metadata: [label('c9', 'v9'), label('c1', 'v8')] },
        { id: 2, metadata: [label('c9', 'v9')] },
      ),
    );
    expect(recordsOf(fields, 1, 2)).toEqual([{ c9: 'v9', Site: 'v8' }, { c9: 'v9' }]);
    expect(problems).toMatchObject([
      { code: 'list-inconsistent', severity: 'warning', message: expect.stringMatching(/"c9", "v8"/) },
    ]);
  });

  it('takes the first of two categories with one name, and reports them', async () => {
    const { fields, problems } = await fieldsOf(
      listOf(site, { ...owner, id: 'c3', name: 'Site' }),
      hosts(
        { id: 1, metadata: [label('c3', 'v3'), label('c1', 'v1')] },
        { id: 2, metadata: [label('c3', 'v3')] },
      ),
    );
    expect(recordsOf(fields, 1, 2)).toEqual([{ Site: 'Wien' }, {}]);
    expect(problems).toMatchObject([
      { severity: 'warning', message: expect.stringMatching(/"Site" \("c1", "c3"\)/) },
    ]);
  });

  it('takes the first of two values in one category', async () => {
    const { fields, problems } = await fieldsOf(
      listOf(site),
      hosts({ id: 1, metadata: [label('c1', 'v2'), label('c1', 'v1')] }),
    );
    expect(recordsOf(fields, 1)).toEqual([{ Site: 'Oslo' }]);
    expect(problems).toMatchObject([{ severity: 'warning', hostIds: ['1'] }]);
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('category "%s" is like any other', async (name) => {
    const { fields } = await fieldsOf(
      listOf({ ...site, name }),
      hosts({ id: 1, metadata: [label('c1', 'v1')] }, { id: 2, metadata: [] }),
    );
    expect(Object.entries(fields.customFieldsOf(hostId(1)) ?? {})).toEqual([[name, 'Wien']]);
    expect(Object.entries(fields.customFieldsOf(hostId(2)) ?? {})).toEqual([]);
  });
});

describe('untrustworthy custom fields are a failure, never an absence', () => {
  const good = listOf(site);
  const readings: readonly [string, Turn, Turn, string][] = [
    ['categories that fail', answer(500), hosts(), 'server-error'],
    ['fields that fail', good, answer(500), 'server-error'],
    ['refused credentials', answer(401), answer(401), 'not-authenticated'],
    ['no right to the categories', answer(403), hosts(), 'not-allowed'],
    ['no right to the fields', good, answer(403, { message: 'Forbidden' }), 'not-allowed'],
    ['a body cut short', good, answer(200, '{"hosts":[{"id":1,'), 'malformed-response'],
    ['a host twice', good, hosts({ id: 1, metadata: [] }, { id: 1, metadata: [] }), 'list-inconsistent'],
    ['a host without labels', good, hosts({ id: 1 }), 'malformed-response'],
  ];
  it.each(readings)('%s', async (_, categories, fields, code) => {
    const read = await given(categories, fields).read();
    expect(read.ok).toBe(false);
    expect(read.problems.map((each) => [each.code, each.severity])).toEqual([[code, 'error']]);
  });
});

function recordsOf(fields: CustomFields, ...ids: readonly number[]) {
  return ids.map((id) => fields.customFieldsOf(hostId(id)));
}
