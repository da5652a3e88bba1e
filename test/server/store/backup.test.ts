import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPostgresDatabase } from '../../../src/server/database/postgres-database.ts';
import { openStore } from '../../../src/server/store/open-store.ts';
import { readFences } from '../../docs/read-page.ts';
import { installedPostgres, startPostgres } from '../../given/postgres.ts';
import {
  ada,
  givenAccount,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../given/store-records.ts';

// No package contains pg_dump, which must be as new as the server.
const programs = installedPostgres();

it.runIf(programs !== undefined)(
  'a backup of pg_dump restores everything but events of another server',
  async () => {
    const server = await startPostgres({ programs });
    const folder = mkdtempSync(join(tmpdir(), 'rampart-backup-'));
    const url = server.createDatabase();
    const from = openPostgresDatabase(url);
    const store = openStore(from);
    await store.migrate();
    await store.accounts.sync([givenAccount('a')]);
    await store.accounts.recordCheck(givenCheck('a', givenHosts(3), { drift: [givenDrift('1')] }));
    await store.plans.propose(givenNewPlan('a'));
    await store.pauses.add({ scope: 'all', by: ada, reason: 'kept', until: null });
    await store.events.append({ type: 'plan.changed', account: 'a', resource: 'here' });
    server.run(
      url,
      `insert into rampart_server.event (xid, type, data) values ('9999999999', 'run.changed', '{}')`,
    );

    const other = server.createDatabase();
    const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/server.md'), 'utf8');
    const commands = readFences(page).find(({ text }) => text.startsWith('pg_dump'))?.text ?? 'false';
    execFileSync('sh', ['-e', '-c', commands], {
      cwd: folder,
      env: { PATH: `${programs}:${process.env['PATH']}`, RAMPART_STATE_URL: url, RESTORED_URL: other },
    });
    const to = openPostgresDatabase(other);
    const restored = openStore(to);
    expect(await restored.migrate()).toEqual([]);

    for (const read of [
      (each: typeof store) => each.accounts.list({ visible: 'all' }),
      (each: typeof store) => each.hosts.list({ visible: 'all' }),
      (each: typeof store) => each.hosts.drift({ visible: 'all' }),
      (each: typeof store) => each.causes.list({ visible: 'all' }),
      (each: typeof store) => each.plans.list({ visible: 'all' }),
      (each: typeof store) => each.pauses.list(),
    ])
      expect(await read(restored)).toEqual(await read(store));
    const events = await restored.events.after('0-0', 'all');
    expect(events.at(-1)).toMatchObject({ type: 'plan.changed', resource: 'here' });
    expect(await restored.events.after(events.at(-1)?.id ?? '', 'all')).toEqual([]);
    await Promise.all([from.close(), to.close()]);
    server.stop();
    rmSync(folder, { recursive: true });
  },
  120_000,
);
