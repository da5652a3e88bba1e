import { noCalls, type WriteAction } from '../../core/model/write-action.ts';
import type { FleetWriter } from '../../service/wire/fleet.ts';
import { preparingWriter } from './preparing-writer.ts';

export interface Counted {
  readonly writer: FleetWriter;
  sent(): Readonly<Record<WriteAction, number>>;
}

/** The same writer, with a count of calls for each action. */
export function countingWriter(writer: FleetWriter): Counted {
  const counts = { ...noCalls };
  return {
    sent: () => ({ ...counts }),
    writer: preparingWriter(writer, (options, action) => {
      counts[action] += 1;
      return options;
    }),
  };
}
