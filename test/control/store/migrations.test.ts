import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenStore, storeBackends } from '../../given/stores.ts';

describe.each(storeBackends)("the store's migrations on %s", (_, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());

  const versions = async () =>
    (await given.run('select name from rampart_server.migration order by name')).map(({ name }) => name);

  it('create the tables from nothing once, also if two processes begin at the same time', async () => {
    const known = await versions();
    await given.run('drop schema rampart_server cascade');
    const applied = await Promise.all([given.store.migrate(), given.other.migrate()]);
    expect(applied.flat()).toEqual(known);
    expect(await versions()).toEqual(known);
    expect(await given.store.migrate()).toEqual([]);
    expect(await given.store.accounts.list({ visible: 'all' })).toMatchObject({
      ok: true,
      value: { items: [] },
    });
  });

  it('leave the tables of the shared state alone', async () => {
    expect(
      await given.run(`select schema_name from information_schema.schemata where schema_name = 'rampart'`),
    ).toEqual([]);
  });
});
