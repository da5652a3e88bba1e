import type { ClientEvent } from '../../../../service/client/client-event.ts';
import { type LogFields, type LogLevel, log } from '../../protocol/plugin/log.ts';

/** Logs one event of the client. Fields are names of actions, numbers and codes, so none can contain a secret. */
export function logEvent(event: ClientEvent): void {
  const { level, message, fields } = recordOf(event);
  log(level, message, fields, 'service');
}

interface LogRecord {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

export function recordOf(event: ClientEvent): LogRecord {
  const { action } = event;
  switch (event.type) {
    case 'call': {
      const { status, ms, attempt, waitedMs } = event;
      const fields = {
        action,
        status: status ?? 'no response',
        attempt,
        duration_ms: ms,
        waited_ms: waitedMs,
      };
      return { level: 'debug', message: 'Sent a request', fields };
    }
    case 'waiting':
      return { level: 'info', message: 'Waiting for the rate limit', fields: { action, wait_ms: event.ms } };
    case 'retry':
      return {
        level: 'warn',
        message: 'Sending a request again',
        fields: { action, problem: event.code, wait_ms: event.ms },
      };
  }
}
