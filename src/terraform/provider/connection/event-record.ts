import type { ClientEvent } from '../../../service/client/client-event.ts';
import type { LogFields, PluginLogLevel } from '../../protocol/plugin/log-record.ts';

interface LogRecord {
  readonly level: PluginLogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** One event of the client as a record of the log. Fields are names of actions, numbers and codes, so none can contain a secret. */
export function eventRecord(event: ClientEvent): LogRecord {
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
