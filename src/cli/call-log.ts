import type { ClientEvent } from '../client/client-event.ts';
import { api } from '../contract/api.ts';
import { durationWords } from '../review/duration-words.ts';
import type { Context } from './context.ts';

/** A wait shorter than this is not worth a line. */
const longWaitMs = 2000;

/**
 * Long waits, and with `-v` each call, on stderr: method, path template and status. No header and no body is ever
 * in it.
 */
export function createCallLog({ settings, tell }: Context): (event: ClientEvent) => void {
  const { dim, yellow } = settings.errColour;
  return (event) => {
    const { method, path } = api[event.action];
    const call = `${method} ${path}`;
    switch (event.type) {
      case 'call':
        if (settings.verbose)
          tell(dim(`${call} → ${event.status ?? 'no reply'} in ${Math.round(event.ms)} ms`));
        return;
      case 'waiting':
        if (settings.verbose || event.ms >= longWaitMs) {
          tell(yellow(`${call} is limited: next in ${durationWords(event.ms)}`));
        }
        return;
      case 'retry':
        if (settings.verbose)
          tell(yellow(`${call} failed (${event.code}): again in ${durationWords(event.ms)}`));
        return;
    }
  };
}
