import type { Hear } from './telemetry-event.ts';

/** A destination for events. It never throws: telemetry must not end a run. */
export interface Telemetry {
  /** False: nothing was requested, and nothing is recorded. */
  readonly isOn: boolean;
  readonly hear: Hear;
  /** Delivers the rest; takes a few seconds at most. */
  end(): Promise<void>;
}
