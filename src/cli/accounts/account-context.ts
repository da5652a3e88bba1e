import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { defined } from '../../core/lib/defined.ts';
import { createCutoff } from '../../service/client/cutoff.ts';
import { systemClock } from '../../service/client/system-clock.ts';
import { sharedStateAccess } from '../service/state-access.ts';
import { type Context, createContext } from '../shell/context.ts';
import type { Io } from '../shell/io.ts';

/**
 * The context of a command for one account. It shares the process, the state, the connections, the events and the redaction with the
 * given context, and has its own cutoff. Streams in `io` replace those of the process.
 */
export function contextOf(context: Context, account: AccountConfig | undefined, io?: Partial<Io>): Context {
  const { accounts: _, ...own } =
    io === undefined
      ? context
      : createContext({ ...context.io, ...io }, context.settings, context.redaction, context.events);
  return {
    ...own,
    ...defined({ account, loadFiles: context.loadFiles }),
    signed: context.signed,
    exchanges: context.exchanges,
    cutoff: createCutoff(systemClock),
    state: sharedStateAccess(context.state),
  };
}
