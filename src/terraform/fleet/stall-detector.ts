import type { Clock } from '../../core/lib/surroundings.ts';

/** Detects when all operations of the coordinator wait: nothing is being sent, and nothing has arrived for a while. */
export interface StallDetector {
  /** A new operation has arrived. */
  touch(): void;
  /** Something is being sent, or about to be. Call the result when it has ended. */
  begin(): () => void;
}

export interface StallDetectorOptions {
  readonly clock: Clock;
  /** How long a stall must last, in milliseconds. */
  patienceMs(): number;
  /** Is any operation waiting? */
  hasWaiting(): boolean;
  onStall(): void;
}

export function createStallDetector(options: StallDetectorOptions): StallDetector {
  let running = 0;
  let alarm: AbortController | undefined;

  /** Nothing advances before a call ends or arrives, so each of these sets the alarm again. */
  function setAlarm(): void {
    alarm?.abort();
    alarm = undefined;
    if (running > 0 || !options.hasWaiting()) return;
    const own = new AbortController();
    alarm = own;
    void options.clock.sleep(options.patienceMs(), own.signal).then(() => {
      if (alarm === own && options.hasWaiting()) options.onStall();
    });
  }

  return {
    touch: setAlarm,
    begin() {
      running += 1;
      setAlarm();
      return () => {
        running -= 1;
        setAlarm();
      };
    },
  };
}
