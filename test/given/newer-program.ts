import { registerHooks } from 'node:module';

/** `node --import newer-program.ts main.ts`: the program with a higher version and one more migration of each schema. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const change = changes.find(([file]) => url.endsWith(file))?.[1];
    if (change === undefined) return loaded;
    const text =
      typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    const source = change(text);
    if (source === text) throw new Error(`${url} has nothing to replace`);
    return { ...loaded, source };
  },
});

/** Adds a column to a table that both versions write. */
const withMigration = (table: string) => (text: string) =>
  text.replace(/,\n\};/, `,\n  '9999': 'alter table ${table} add column later text',\n};`);

const changes: readonly (readonly [file: string, change: (text: string) => string])[] = [
  ['/src/server/database/migrations.ts', withMigration('rampart_server.account')],
  ['/src/run/state/postgres/state-migrations.ts', withMigration('rampart.run')],
  ['/src/cli/shell/version.ts', (text) => text.replace('return ownPackage().version;', "return '99.0.0';")],
];
