import { configFileName, configRefVariable } from '../../accounts/config/config-folder.ts';
import { unpinned, unpinnedOrigin } from '../../accounts/engine/open-account.ts';
import { isAutomated } from '../../core/lib/pipeline-systems.ts';
import { printable } from '../../core/lib/printable.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { createTurns } from '../../core/lib/turns.ts';
import { asWarning, failed, ok, type Result } from '../../core/problem/problem.ts';
import { allowedOriginsVariable } from '../../service/client/pinned-origins.ts';
import { addPin, pinsPath, readPins } from './user-pins.ts';

/** Asks at a terminal; null if there is none. */
export type Ask = (question: string) => Promise<string | null>;

export interface OriginCheck {
  /** The address in the file of the checkout. */
  readonly baseUrl: string;
  /** The location of the key: `variable BERLIN_PSK`. */
  readonly key: string;
  readonly env: Environment;
  readonly ask: Ask;
}

/**
 * May this key be sent to the address that a file of the checkout names? Only if the environment pins its origin, or
 * the user confirmed it at a terminal, now or earlier. An answer holds only for that key and that origin, because a
 * change of the file may combine either with another. In a pipeline nobody is asked, and earlier answers do not count.
 */
export function checkOrigin(check: OriginCheck): Promise<Result<null>> {
  return inTurn(() => checkNext(check));
}

/** Commands for several accounts ask one question at a time, and save one answer at a time. */
const inTurn = createTurns();

async function checkNext(check: OriginCheck): Promise<Result<null>> {
  const { baseUrl, key, env, ask } = check;
  const found = unpinnedOrigin(baseUrl, env);
  if (!found.ok) return found;
  const { value: origin } = found;
  if (origin === null) return ok(null);
  if (isAutomated(env)) return failed(unpinned(key, origin, pipelineHint));
  const path = pinsPath(env);
  if (path === null) return failed(unpinned(key, origin, localHint));
  const known = await readPins(path);
  if (known.pins.some((pin) => pin.origin === origin && pin.key === key)) return ok(null);
  const answer = await ask(
    `${configFileName} in this folder sends the key in ${printable(key)} to ${origin} for the first time.\nSend it there? Only "yes" is accepted: `,
  );
  if (answer?.trim() !== 'yes') return failed(unpinned(key, origin, localHint), ...known.problems);
  const saved = await addPin(path, { origin, key });
  return ok(null, [...known.problems, ...(saved.ok ? [] : saved.problems.map(asWarning))]);
}

const pipelineHint = `set RAMPART_BASE_URL or ${allowedOriginsVariable} in the job, or read ${configFileName} from a reviewed commit with ${configRefVariable}`;
const localHint = `run the command in a terminal and answer yes, or add the origin to ${allowedOriginsVariable}`;
