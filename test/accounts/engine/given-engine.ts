import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type ApplyOptions,
  type ApplyParts,
  applyAccount,
} from '../../../src/accounts/engine/apply-account.ts';
import { checkAccount } from '../../../src/accounts/engine/check-account.ts';
import type { EngineEvent, EngineParts } from '../../../src/accounts/engine/engine-parts.ts';
import { createExchanges } from '../../../src/accounts/engine/exchanges.ts';
import { openAccount } from '../../../src/accounts/engine/open-account.ts';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { planChecksum } from '../../../src/core/plan/document/plan-document.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import type { Origin } from '../../../src/run/state/journal/record.ts';
import { givenAccountConfig } from '../../given/account-config.ts';
import { type GivenAccount, givenAccounts } from '../../given/accounts.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { newFolder } from '../../given/folder.ts';
import { eagerClock } from '../../server/jobs/given.ts';

export const account = givenAccountConfig();
export const origin: Origin = { actor: 'ada', host: 'm-1', reason: 'a test' };

interface GivenEngine {
  readonly env?: Readonly<Record<string, string>>;
  readonly of?: (state: State) => State;
  readonly fleet?: Partial<GivenAccount>;
  readonly entries?: readonly GivenEntry[];
  readonly over?: Partial<EngineParts>;
  /** The address of the service in the configuration. */
  readonly address?: string;
}

/** An account of a service on a socket, with a state in a folder. */
export async function opened(
  pinned: boolean,
  { env: more = {}, of = (each) => each, fleet, over, address }: GivenEngine = {},
) {
  const given = await givenAccounts({ berlin: { groups: [], hosts: [{ id: '1', name: 'A' }], ...fleet } });
  const folder = newFolder();
  const { RAMPART_BASE_URL: baseUrl = '', RAMPART_PSK } = given.env;
  const env = { RAMPART_PSK, ...(pinned ? { RAMPART_ALLOWED_ORIGINS: baseUrl } : {}), ...more };
  const exchanges = createExchanges(env);
  onTestFinished(() => exchanges.close());
  const hidden: string[] = [];
  const state = of(openFilesState(join(folder, 'state')));
  const parts: EngineParts = {
    env,
    folder,
    clock: eagerClock(),
    hide: (secrets) => hidden.push(...secrets),
    state,
    exchanges,
    ...over,
  };
  const connection = await openAccount({ ...account, baseUrl: address ?? baseUrl }, parts);
  return { given, connection, hidden, state, parts };
}

/** A connection that was opened, and the plan of a rename. */
export async function planned({ entries = [{ id: 1, name: 'B' }], ...given }: GivenEngine = {}) {
  const made = await opened(true, given);
  const { connection, parts, state } = made;
  if (!connection.ok) throw new Error(connection.problems[0]?.message);
  const desired = givenDesired(entries, noLimits);
  const checked = await checkAccount(connection.value, desired, account, parts);
  if (!checked.ok) throw new Error(checked.problems[0]?.message);
  const { plan, observed } = checked.value;
  const events: EngineEvent[] = [];
  const options: ApplyOptions = { approvedChecksum: planChecksum(plan), origin };
  const apply = (more: Partial<ApplyOptions> = {}, over: Partial<ApplyParts> = {}) =>
    applyAccount(
      connection.value,
      plan,
      { ...options, ...more },
      { clock: parts.clock, state, onEvent: (event) => events.push(event), ...over },
    );
  const nameNow = async () => {
    const read = await connection.value.reader.read({ antivirus: false });
    return read.ok ? hostsOf(read.value)[0]?.name : undefined;
  };
  const left = async () => {
    const fleet = await state.readFleet(connection.value.account);
    return fleet.ok && fleet.value !== null ? hostsOf(fleet.value.observed)[0]?.name : null;
  };
  const { account: service } = connection.value;
  const writes = () => made.given.writesOf('berlin');
  const requests = () => made.given.emulators.get('berlin')?.requests ?? [];
  const paths = () => requests().map(({ path }) => path);
  const reads = () => requests().length - writes();
  return {
    ...made,
    connection: connection.value,
    service,
    plan,
    observed,
    events,
    apply,
    nameNow,
    left,
    writes,
    reads,
    paths,
  };
}
