import { parseJson } from '../../core/lib/parse-json.ts';
import { placeOf } from './decode-fleet.ts';
import type { ScriptMessage } from './sandbox/protocol.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a line that the process of a script sent. A script that broke out of QuickJS could have written it, so each part
 * is checked. Undefined if it is no message.
 */
export function readMessage(line: string): ScriptMessage | undefined {
  const message = fieldsOf(parseJson(line));
  switch (message['kind']) {
    case 'find': {
      const { specifier, from, way } = fieldsOf(message['request']);
      if (typeof specifier !== 'string' || typeof from !== 'string') return undefined;
      return { kind: 'find', request: { specifier, from, way: way === 'require' ? way : 'import' } };
    }
    case 'print':
      return typeof message['text'] === 'string' ? { kind: 'print', text: message['text'] } : undefined;
    case 'value':
      return { kind: 'value', value: message['value'] };
    case 'failed': {
      const { message: text, hint } = message;
      const at = placeOf(message['at']);
      if (typeof text !== 'string') return undefined;
      return {
        kind: 'failed',
        message: text,
        ...(typeof hint === 'string' ? { hint } : {}),
        ...(at === undefined ? {} : { at }),
      };
    }
    default:
      return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
