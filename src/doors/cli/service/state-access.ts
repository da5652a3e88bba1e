import { ok, type Result } from '../../../core/problem/result.ts';
import type { State } from '../../../run/state/interface/state.ts';
import { openState } from '../../../run/state/open-state.ts';
import { secretsOfUrl, stateUrlOf } from '../../../run/state/state-url.ts';
import type { Io } from '../shell/io.ts';
import type { Redaction } from '../shell/redaction.ts';
import type { Settings } from '../shell/settings.ts';

/** The state of earlier runs, opened when a command first asks for it, and closed with the command. */
export interface StateAccess {
  open(): Promise<Result<State>>;
  close(): Promise<void>;
}

export interface StateAccessParts {
  readonly io: Io;
  readonly settings: Settings;
  readonly redaction: Redaction;
  readonly path: (given: string) => string;
}

/** The embedded emulator is nobody else's fleet: its runs stay in the folder. */
export function createStateAccess({ io, settings, redaction, path }: StateAccessParts): StateAccess {
  let opened: Promise<Result<State>> | undefined;
  const open = async (): Promise<Result<State>> => {
    const { stateDir: shown } = settings;
    const url = settings.emulator === undefined ? stateUrlOf({ env: io.env, path }) : ok(undefined);
    if (!url.ok) return url;
    if (url.value !== undefined) redaction.hide(secretsOfUrl(url.value));
    return openState({ stateDir: path(shown), shown, url: url.value });
  };
  return {
    open: () => (opened ??= open()),
    async close() {
      const state = await opened;
      if (state?.ok === true) await state.value.close();
    },
  };
}
