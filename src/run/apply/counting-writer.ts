import { type WriteAction, writeActions } from '../../core/model/write-action.ts';
import type { FleetWriter } from '../../service/wire/fleet.ts';

export interface Counted {
  readonly writer: FleetWriter;
  sent(): Readonly<Record<WriteAction, number>>;
}

/** The same writer, with a count of calls for each action. */
export function countingWriter(writer: FleetWriter): Counted {
  const counts = Object.fromEntries(writeActions.map((action) => [action, 0])) as Record<WriteAction, number>;
  return {
    sent: () => ({ ...counts }),
    writer: {
      rename(...call) {
        counts.rename += 1;
        return writer.rename(...call);
      },
      move(...call) {
        counts.move += 1;
        return writer.move(...call);
      },
      remove(...call) {
        counts.delete += 1;
        return writer.remove(...call);
      },
      installAntivirus(...call) {
        counts.antivirus += 1;
        return writer.installAntivirus(...call);
      },
      refreshAntivirus(...call) {
        counts.refresh += 1;
        return writer.refreshAntivirus(...call);
      },
    },
  };
}
