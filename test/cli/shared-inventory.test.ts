import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/lib/surroundings.ts';
import { openPostgresState } from '../../src/run/state/postgres/postgres-state.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { methods } from '../../src/terraform/protocol/generated/messages.ts';
import { encodeMessagePack } from '../../src/terraform/protocol/messagepack/encode-value.ts';
import {
  type MethodName,
  messageCodec,
  type Received,
} from '../../src/terraform/protocol/messages/messages.ts';
import { type Schema, typeOfBody } from '../../src/terraform/protocol/schema/schema.ts';
import { dispatch } from '../../src/terraform/protocol/service/dispatch.ts';
import { receivedRecord } from '../../src/terraform/protocol/service/handler.ts';
import { Session } from '../../src/terraform/protocol/service/session.ts';
import type { RecordValue } from '../../src/terraform/protocol/value/value.ts';
import { rampartProvider } from '../../src/terraform/provider/rampart-provider.ts';
import { connected, givenService, workplace } from '../given/command-line.ts';
import { hasPostgres, postgresPassword, sharedPostgres } from '../given/postgres.ts';
import { emptyOf } from '../terraform/provider/given/rampart-core.ts';

const hosts = Array.from({ length: 3 }, (_, index) => ({
  id: String(9007199254740993n + BigInt(index)),
  name: `PC-${index}`,
  inventory: { hardware: { serviceTag: `ST${index}` }, system: { externalIp: '198.51.100.7' } },
}));
const rule = `version: 1
rules:
  - { name: tag, when: 'host.inventory.hardware.serviceTag == "ST1"', rename: '"TAGGED"' }
`;
const reportsOf = ({ requests }: { readonly requests: readonly { readonly action: string | null }[] }) =>
  requests.filter(({ action }) => action?.startsWith('create') === true).length;

describe('RAMPART_INVENTORY_CACHE', () => {
  it.each([
    [['hosts', 'inventory', 'status']],
    [['hosts', 'inventory', 'pull']],
    [['hosts', 'inventory', 'pull', '--emulator']],
  ])('is refused by %j if its value is unknown, with the two values', async (argv) => {
    const { rampart } = await connected({ hosts });
    const ran = await rampart(argv, { env: { RAMPART_INVENTORY_CACHE: 'redis' } });
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('RAMPART_INVENTORY_CACHE must be "local" or "state"');
  });

  it('selects the local cache if no shared state is configured', async () => {
    const { rampart, folder } = await workplace();
    const { env: service } = await givenService({ hosts });
    const env = { ...service, RAMPART_INVENTORY_CACHE: 'state' };
    expect((await rampart('hosts inventory pull', { env })).code).toBe(0);
    expect((await rampart('hosts inventory show PC-1', { env: service })).out).toContain('ST1');
    expect((await rampart('hosts inventory show PC-1', { env })).out).toContain('ST1');
    expect(await readdir(`${folder}/.rampart`)).toContainEqual(expect.stringMatching(/^inventory-/));
  });
});

describe.runIf(hasPostgres)('the inventory in a shared state', () => {
  let url: string;
  beforeEach(async () => {
    url = sharedPostgres().createDatabase();
    const state = openPostgresState(url);
    await state.migrate();
    await state.close();
  }, 60_000);

  /** A service, and machines with folders of their own that share the state. */
  async function given() {
    const [first, second] = [await workplace(), await workplace()];
    // The service limits reports by the clock on which the second machine waits.
    const { env: service, emulator } = await givenService({ hosts }, { clock: second.clock });
    const env: Environment = { ...service, RAMPART_STATE_URL: url, RAMPART_INVENTORY_CACHE: 'state' };
    return { env, emulator, first, second };
  }

  it('is read by the Terraform provider on a machine without a state_dir', async () => {
    const { env, emulator, first } = await given();
    expect((await first.rampart('hosts inventory pull', { env })).code).toBe(0);
    const reports = reportsOf(emulator);
    const provider = rampartProvider({ env: { ...env, RAMPART_INVENTORY_CACHE: '' }, clock: systemClock });
    const session = new Session(provider);
    const valueOf = (schema: Schema, members: RecordValue) => ({
      msgpack: encodeMessagePack({ ...emptyOf(schema), ...members }, typeOfBody(schema)),
    });
    const call = async <M extends MethodName>(method: M, request: object) => {
      const [sent, received] = methods[method];
      const bytes = messageCodec.encode(sent, request);
      return messageCodec.decode(
        received,
        await dispatch(session, method, bytes, new AbortController().signal),
      );
    };
    await call('ConfigureProvider', { config: valueOf(provider.schema, {}) });
    const schema = provider.dataSources?.['rampart_hosts']?.schema as Schema;
    const where = 'host.inventory.hardware.serviceTag == "ST1"';
    const read = await call('ReadDataSource', {
      typeName: 'rampart_hosts',
      config: valueOf(schema, { where }),
    });
    await session.close();
    const { state, diagnostics } = read as Received<'ReadDataSource.Response'>;
    expect(diagnostics.filter(({ severity }) => severity === 1)).toEqual([]);
    expect(receivedRecord(state, schema)?.['ids']).toEqual(['9007199254740994']);
    expect(reportsOf(emulator)).toBe(reports);
  });

  it('is seen by a second machine after the first one pulled it', async () => {
    const { env, emulator, first, second } = await given();
    const local = { ...env, RAMPART_INVENTORY_CACHE: 'local' };
    expect((await first.rampart('hosts inventory pull', { env })).code).toBe(0);
    const reports = reportsOf(emulator);
    expect(reports).toBe(2);

    const shown = await second.rampart('hosts inventory show PC-1 --json', { env });
    expect(JSON.parse(shown.out)).toMatchObject({ id: '9007199254740994' });
    expect(shown.out).toContain('ST1');
    const exported = await second.rampart('hosts inventory export --format csv', { env });
    expect(exported.out.trim().split('\n')).toHaveLength(4);
    const status = await second.rampart('hosts inventory status --json', { env });
    expect(JSON.parse(status.out)).toMatchObject([{ hosts: 3 }, { hosts: 3 }]);
    await second.write('fleet.yaml', rule);
    expect((await second.rampart('plan -f fleet.yaml', { env })).out).toContain('TAGGED');
    expect(await readdir(second.folder).catch(() => [])).not.toContain('.rampart');

    expect((await second.rampart('hosts inventory show PC-1', { env: local })).code).not.toBe(0);
    const again = await second.rampart('hosts inventory pull --json', { env });
    expect(JSON.parse(again.out)).toMatchObject([{ fresh: 3 }, { fresh: 3 }]);
    expect(reportsOf(emulator)).toBe(reports);
  });

  it('is missing before the first pull, and plans name the command that fetches it', async () => {
    const { env, first } = await given();
    expect((await first.rampart('hosts inventory status', { env })).out).toContain('No inventory');
    expect((await first.rampart('hosts inventory show PC-1', { env })).err).toContain(
      'rampart hosts inventory pull',
    );
    await first.write('fleet.yaml', rule);
    expect((await first.rampart('plan -f fleet.yaml', { env })).err).toContain(
      'rampart hosts inventory pull --hardware --fields',
    );
  });

  it.each([
    ['its bytes are damaged', `'\\x00'`],
    ['its text is not an inventory', `decode('${gzipSync('{"hosts":[]}').toString('hex')}', 'hex')`],
  ])('is replaced by a pull with a warning if %s', async (_what, bytes) => {
    const { env, first, second } = await given();
    await first.rampart('hosts inventory pull', { env });
    sharedPostgres().run(url, `update rampart.inventory set text = ${bytes}`);
    await second.write('fleet.yaml', rule);
    for (const argv of [
      ['hosts', 'inventory', 'export'],
      ['plan', '-f', 'fleet.yaml'],
    ]) {
      expect(await second.rampart(argv, { env })).toExit(1, 'is damaged', 'rampart hosts inventory pull');
    }
    const pulled = await second.rampart('hosts inventory pull', { env });
    expect(pulled).toMatchObject({ code: 0 });
    expect(pulled.err).toContain('is damaged; this pull replaces it');
    expect((await first.rampart('hosts inventory show PC-2', { env })).out).toContain('ST2');
  });

  it('is not saved if the database is away, and the password is not printed', async () => {
    const { env, first } = await given();
    const away = { ...env, RAMPART_STATE_URL: `postgresql://rampart:${postgresPassword}@127.0.0.1:1/state` };
    for (const argv of [
      ['hosts', 'inventory', 'pull'],
      ['hosts', 'inventory', 'status'],
    ]) {
      const ran = await first.rampart(argv, { env: away });
      expect(ran.code).toBe(1);
      expect(ran.out + ran.err).not.toContain(postgresPassword);
    }
  });
});
