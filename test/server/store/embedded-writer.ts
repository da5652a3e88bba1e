import { openEmbeddedDatabase } from '../../../src/server/database/embedded-database.ts';
import { openStore } from '../../../src/server/store/open-store.ts';

/** Writes pauses one after another, and prints the id of each once the database has acknowledged it. */
const [folder = ''] = process.argv.slice(2);
const opened = await openEmbeddedDatabase({ folder, version: '0.1.0' });
if (!opened.ok) {
  process.stdout.write(`refused: ${opened.problems[0]?.code} ${opened.problems[0]?.hint}\n`);
  process.exit(3);
}
const store = openStore(opened.value);
await store.migrate();
const pause = {
  scope: 'all',
  by: { kind: 'operator', id: 'x', name: 'x' },
  reason: 'test',
  until: null,
} as const;
for (;;) {
  const { id } = await store.transaction(async (transaction) => {
    const added = await transaction.pauses.add(pause);
    await transaction.events.append({ type: 'account.changed', account: null, resource: added.id });
    return added;
  });
  process.stdout.write(`${id}\n`);
}
