import { once } from '../../core/lib/once.ts';
import { isAutomated } from '../../core/lib/pipeline-systems.ts';
import { secretsOfUrl } from '../../core/lib/postgres-url.ts';
import type { Redaction } from '../../core/lib/redaction.ts';
import { type Account, equalAccounts } from '../../core/model/account.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { auditKeysOf } from '../../run/state/audit/audit-keys.ts';
import type { ListTime, State } from '../../run/state/interface/state.ts';
import type { RunDigest } from '../../run/state/journal/run-digest.ts';
import { openState } from '../../run/state/open-state.ts';
import { trackedRecords } from '../../run/state/origin/tracked-records.ts';
import { recallQuery } from '../../run/state/recall-runs.ts';
import { stateUrlOf } from '../../run/state/state-url.ts';
import type { Io } from '../shell/io.ts';
import type { Settings } from '../shell/settings.ts';

export interface AccessedState {
  /** The command carries on with what the records say, so they must not be part of the repository. */
  readonly continues?: true;
}

/** The state of earlier runs, opened on first use and closed with the command. */
export interface StateAccess {
  /** In a pipeline, records that are part of the repository are refused: the change under review may have brought them. */
  open(options?: AccessedState): Promise<Result<State>>;
  /**
   * Requests the records of earlier runs for planning together with the times of lists, so that both take one round
   * trip. If the state can't be reached, nothing is known; a later request is repeated and fails.
   */
  prepare(account: Account, now: number): Promise<readonly ListTime[]>;
  /** The runs that `prepare` requested; undefined if it requested fewer. */
  prepared(account: Account, since: number): Promise<Result<readonly RunDigest[]>> | undefined;
  close(): Promise<void>;
}

type Listed = Promise<Result<readonly RunDigest[]>>;

export interface StateAccessParts {
  readonly io: Io;
  readonly settings: Settings;
  readonly redaction: Redaction;
  readonly path: (given: string) => string;
}

/** The embedded emulator is a private fleet: its runs stay in the folder. */
export function createStateAccess({ io, settings, redaction, path }: StateAccessParts): StateAccess {
  const { stateDir: shown } = settings;
  const address = once(() => {
    const url = settings.emulator === undefined ? stateUrlOf({ env: io.env, path }) : ok(undefined);
    if (url.ok && url.value !== undefined) redaction.hide(secretsOfUrl(url.value));
    return url;
  });
  const forged = once(() => trackedRecords(shown, { cwd: io.cwd, env: io.env }));
  let opened: Promise<Result<State>> | undefined;
  const open = async ({ continues }: AccessedState = {}): Promise<Result<State>> => {
    const url = address();
    if (!url.ok) return url;
    const isChecked = url.value === undefined && (continues === true || isAutomated(io.env));
    const problems = isChecked ? await forged() : [];
    if (problems.length > 0) return failed(...problems);
    const auditKeys = auditKeysOf(io.env, path, path(shown));
    if (!auditKeys.ok) return auditKeys;
    return (opened ??= openState({
      stateDir: path(shown),
      shown,
      url: url.value,
      auditKeys: auditKeys.value,
    }));
  };
  return {
    ...preparedRuns(open),
    async close() {
      const state = await opened;
      if (state?.ok === true) await state.value.close();
    },
  };
}

/** The same state for one of several accounts, which does not close it. */
export function sharedStateAccess({ open }: StateAccess): StateAccess {
  return { ...preparedRuns(open), async close() {} };
}

function preparedRuns(open: StateAccess['open']): Omit<StateAccess, 'close'> {
  let early: { readonly account: Account; readonly since: number; readonly runs: Listed } | undefined;
  return {
    open,
    async prepare(account, now) {
      const state = await open();
      if (!state.ok) return [];
      const query = recallQuery(account, { now });
      const earlier = state.value.readEarlier(account, query);
      const runs = earlier.then(
        (read): Result<readonly RunDigest[]> => (read.ok ? ok(read.value.runs, read.problems) : read),
      );
      early = { account, since: query.since, runs };
      const read = await earlier;
      return read.ok ? read.value.listTimes : [];
    },
    prepared(account, since) {
      if (early === undefined || early.since > since) return undefined;
      return equalAccounts(early.account, account) ? early.runs : undefined;
    },
  };
}
