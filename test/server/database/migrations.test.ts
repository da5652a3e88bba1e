import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseProblem } from '../../../src/run/state/postgres/database-problem.ts';
import { migrateForward } from '../../../src/run/state/postgres/migrate-forward.ts';
import {
  ada,
  givenAccount,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../given/stores.ts';

describe.each(storeBackends)("the store's migrations on %s", (_, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());

  const versions = async () =>
    (await given.run('select name from rampart_server.migration order by name')).map(({ name }) =>
      String(name),
    );

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

  it('of a newer version let a server of the older version go on, which does not start again', async () => {
    const { store, database } = given;
    await store.migrate();
    await given.clear();
    const newer = {
      ...Object.fromEntries((await versions()).map((name) => [name, 'select 1'])),
      '9999': "alter table rampart_server.pause add column later text not null default 'new'",
    };
    await migrateForward(database.db, { schema: 'rampart_server', migrations: newer });
    try {
      const { id } = await store.pauses.add({ scope: 'all', by: ada, reason: 'upgrade', until: null });
      expect(await given.other.pauses.list()).toMatchObject([{ id, reason: 'upgrade' }]);
      await store.accounts.sync([givenAccount('a')]);
      await store.plans.propose(givenNewPlan('a'));
      expect(await store.overview('all')).toMatchObject({ accounts: 1 });
      const refused = await given.other.migrate().catch((error: unknown) => error);
      expect(databaseProblem(refused, 'the database')).toMatchObject({
        message: 'the database was updated by a newer version of Rampart',
        hint: expect.stringContaining('start that version') as string,
      });
    } finally {
      await given.run("delete from rampart_server.migration where name = '9999'");
      await given.run('alter table rampart_server.pause drop column later');
    }
    expect(await store.migrate()).toEqual([]);
  });

  it('give databases of any age the usual statistics of names and of the text of searches', async () => {
    await given.store.migrate();
    await given.run('alter table rampart_server.host alter column key set statistics 300');
    await given.run(
      'alter table rampart_server.plan drop column change_digest, drop column content_digest, drop column later, drop column signature',
    );
    await given.run('alter table rampart_server.approval drop column ticket');
    await given.run('alter table rampart_server.notification drop column failed_at');
    await given.run('alter table rampart_server.host drop column search_text');
    await given.run('drop function rampart_server.pairs_of');
    await given.run('create index host_by_text on rampart_server.host using gin (key gin_trgm_ops)');
    await given.run("delete from rampart_server.migration where name >= '0010'");
    expect(await given.store.migrate()).toEqual((await versions()).filter((name) => name >= '0010'));
    expect(
      await given.run(
        "select attname from pg_attribute where attrelid = 'rampart_server.host'::regclass and attstattarget > 0",
      ),
    ).toEqual([]);
  });

  it('leave hosts without a name without one', async () => {
    const { store } = given;
    await store.migrate();
    await given.clear();
    await store.accounts.sync([givenAccount('a')]);
    const drift = [givenDrift('1', { name: '' }), givenDrift('2')];
    const hosts = givenHosts(2).map((host) => ({ ...host, name: host.hostId === '1' ? '' : host.name }));
    await store.accounts.recordCheck(givenCheck('a', hosts, { drift }));
    await given.run("delete from rampart_server.migration where name >= '0019'");
    expect(await store.migrate()).toEqual(['0019', '0020']);
    const namesIn = async (table: string) =>
      (await given.run(`select name from rampart_server.${table} order by host_id`)).map(({ name }) => name);
    expect(await namesIn('host')).toEqual([null, hosts[1]?.name]);
    expect((await namesIn('drift'))[0]).toBe(null);
    // The name of this host really is empty, and the next check says so, although the fleet did not change.
    await store.accounts.recordCheck(givenCheck('a', hosts, { drift }));
    expect(await namesIn('host')).toEqual(['', hosts[1]?.name]);
    expect((await namesIn('drift'))[0]).toBe('');
  });

  it('leave the tables of the shared state alone', async () => {
    await given.run('drop schema if exists rampart cascade');
    await given.run('drop schema rampart_server cascade');
    await given.store.migrate();
    expect(
      await given.run(`select schema_name from information_schema.schemata where schema_name = 'rampart'`),
    ).toEqual([]);
  });
});
