import { writeSync } from 'node:fs';
import { once } from '../../../core/lib/once.ts';
import {
  type LogFields,
  levels,
  type PluginLogLevel,
  recordLine,
  type Subsystem,
  shownLevel,
} from './log-record.ts';

const shownByTerraform = once(() => shownLevel(process.env));

/** Does anything read records of the level? */
export function isLogged(level: PluginLogLevel): boolean {
  return levels.indexOf(level) >= levels.indexOf(shownByTerraform());
}

/** Writes one record to Terraform's log. Never a secret, because people share logs. */
export function log(
  level: PluginLogLevel,
  message: string,
  fields: LogFields = {},
  subsystem?: Subsystem,
): void {
  if (isLogged(level)) writeStderr(recordLine(level, message, fields, subsystem));
}

/** Written immediately, so that a record is not lost when the process ends. */
export function writeStderr(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // The reader has closed the stream.
  }
}
