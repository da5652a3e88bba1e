import type { Hear } from './telemetry-event.ts';

/** A place where events go. Nothing in it ever throws: telemetry is no reason for a run to end. */
export interface Telemetry {
  /** False: nothing was asked for, and nothing is kept. */
  readonly isOn: boolean;
  readonly hear: Hear;
  /** Hands over what is left; takes a few seconds at most. */
  end(): Promise<void>;
}
