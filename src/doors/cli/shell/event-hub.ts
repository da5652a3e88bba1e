import type { Hear, TelemetryEvent } from '../../../run/telemetry/telemetry-event.ts';

/** Where all that happens is told, to whoever listens: the log, traces, progress. */
export interface EventHub {
  tell(event: TelemetryEvent): void;
  /** What it returns ends the listening. */
  listen(hear: Hear): () => void;
}

export function createEventHub(): EventHub {
  const listeners = new Set<Hear>();
  return {
    tell: (event) => {
      for (const hear of listeners) hear(event);
    },
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
}
