import type { Clock } from '../../../core/lib/surroundings.ts';
import type { RegisterContent, RegisterRequest } from '../../../core/model/register-request.ts';
import { failed, problem, type Result } from '../../../core/problem/problem.ts';
import { type FetchRegister, requestKey } from '../../../input/tables/register-table.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

/** One read of a register. */
export interface SharedRead {
  readonly content: Promise<Result<RegisterContent>>;
  /** When the register is read again, in milliseconds. */
  until(): number;
}

/** Reads a register for the desired states of a source. */
export type SharedRegisters = (source: string, request: RegisterRequest) => SharedRead;

/** A register that failed is not asked again by each account, but soon. */
const failedMs = 60_000;

/** One read of a register serves all accounts of this process until it is due again. */
export function createSharedRegisters(
  settings: Pick<ServerSettings, 'registers' | 'cadenceMs'>,
  fetch: FetchRegister,
  { now }: Pick<Clock, 'now'>,
): SharedRegisters {
  const reads = new Map<string, SharedRead>();
  return (source, request) => {
    const register = settings.registers.find(({ name }) => name === request.source);
    if (register === undefined || register.sources?.includes(source) === false)
      return { content: Promise.resolve(failed(notAllowed(source, request))), until: () => Infinity };
    for (const [key, { until }] of reads) if (until() <= now()) reads.delete(key);
    const key = requestKey(request);
    const known = reads.get(key);
    if (known !== undefined) return known;
    const everyMs = register.everyMs ?? settings.cadenceMs;
    let until = Infinity;
    const content = fetch(request).then((read) => {
      until = now() + (read.ok ? everyMs : Math.min(everyMs, failedMs));
      return read;
    });
    const read = { content, until: () => until };
    reads.set(key, read);
    return read;
  };
}

function notAllowed(source: string, { source: register }: RegisterRequest) {
  return problem('configuration', `the source "${source}" may not read the register "${register}"`, {
    hint: `an operator can allow it under "registers" of "server" in rampart.config.yaml`,
  });
}
