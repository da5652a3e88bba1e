import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AccountConfig } from '../../../src/control/accounts/account-config.ts';
import { createExchanges } from '../../../src/control/engine/exchanges.ts';
import { openAccount } from '../../../src/control/engine/open-account.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { givenAccounts } from '../../given/accounts.ts';

async function opened(pinned: boolean) {
  const given = await givenAccounts({ berlin: { groups: [], hosts: [{ id: '1', name: 'A' }] } });
  const folder = await mkdtemp(join(tmpdir(), 'rampart-engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { RAMPART_BASE_URL: baseUrl = '', RAMPART_PSK } = given.env;
  const env = { RAMPART_PSK, ...(pinned ? { RAMPART_ALLOWED_ORIGINS: baseUrl } : {}) };
  const exchanges = createExchanges(env);
  onTestFinished(() => exchanges.close());
  const account: AccountConfig = {
    name: 'berlin',
    baseUrl,
    companyId: '1000',
    files: [],
    labels: {},
    configuredLabels: new Set(),
    mode: 'observe',
    limits: {},
    windows: [],
    place: { file: 'rampart.config.yaml', line: 1, col: 1 },
    places: {},
    aliases: {},
    isReviewed: false,
  };
  const hidden: string[] = [];
  const connection = await openAccount(account, {
    env,
    folder,
    clock: systemClock,
    hide: (secrets) => hidden.push(...secrets),
    state: openFilesState(join(folder, 'state')),
    exchanges,
  });
  return { given, connection, hidden };
}

describe('opening an account without a terminal', () => {
  it('reads its key, and never shows it', async () => {
    const { connection, hidden, given } = await opened(true);
    if (!connection.ok) throw new Error(connection.problems[0]?.message);
    expect(hidden).toContain(given.env['RAMPART_PSK']);
    const read = await connection.value.reader.read({ antivirus: false });
    expect(read.ok && read.value.count).toBe(1);
    await connection.value.close();
  });

  it('sends its key to no origin that the environment does not pin', async () => {
    const { connection, given } = await opened(false);
    expect(connection).toMatchObject({ ok: false, problems: [{ code: 'unpinned-origin' }] });
    expect(given.emulators.get('berlin')?.requests).toEqual([]);
  });
});
