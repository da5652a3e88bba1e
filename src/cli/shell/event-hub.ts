import type { Hear, TelemetryEvent } from '../../run/telemetry/telemetry-event.ts';

/** Passes every event to its listeners: the log, traces, progress. */
export interface RunEventHub {
  emit(event: TelemetryEvent): void;
  /** Returns a function that removes the listener. */
  listen(hear: Hear): () => void;
}

export function createRunEventHub(): RunEventHub {
  const listeners = new Set<Hear>();
  return {
    emit: (event) => {
      for (const hear of listeners) hear(event);
    },
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
}
