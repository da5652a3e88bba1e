import type { ClientRunEvent } from '../../accounts/engine/engine-parts.ts';
import type { CallEvent } from '../../core/model/run-event.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import type { Context } from '../shell/context.ts';
import { limitWords } from './limit-words.ts';

/** Shorter waits get no line. */
const longWaitMs = 2000;
/** Shorter waits are not mentioned. */
const minReportedMs = 10;

/** Logs long waits, and with `-v` each call, on stderr: method, path template and status. Never a header or a body. */
export function createCallLog({ settings, log, live }: Context): (event: ClientRunEvent) => void {
  const { dim, yellow } = settings.errColor;
  return (event) => {
    switch (event.type) {
      case 'call':
        live.went(event.action);
        if (settings.verbose) log(dim(callWords(event)));
        return;
      case 'waiting':
        live.waiting(event.action, event.ms);
        if (settings.verbose || (event.ms >= longWaitMs && !live.isLive)) {
          log(yellow(`Waiting ${durationWords(event.ms)} for the ${limitWords(event.action)}.`));
        }
        return;
      case 'retry':
        if (settings.verbose)
          log(yellow(`${event.action} failed (${event.code}): retrying in ${durationWords(event.ms)}`));
        return;
    }
  };
}

function callWords({ method, path, status, ms, attempt, waitedMs }: CallEvent): string {
  const again = attempt === 1 ? '' : `, attempt ${attempt}`;
  const waited = waitedMs < minReportedMs ? '' : `, after ${waitWords(waitedMs)}`;
  return `${method} ${path} → ${status ?? 'no reply'} in ${Math.round(ms)} ms${again}${waited}`;
}

function waitWords(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : durationWords(ms);
}
