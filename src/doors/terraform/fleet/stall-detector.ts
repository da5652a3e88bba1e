import type { Clock } from '../../../core/lib/clock.ts';

/** Detects when all operations of the coordinator wait: nothing is being sent, and nothing has come for a while. */
export interface StallDetector {
  /** Something new has come. */
  touch(): void;
  /** Something is being sent, or about to be; the result is to be called once it has ended. */
  begin(): () => void;
}

export interface StallDetectorOptions {
  readonly clock: Clock;
  /** How long a standstill has to last, in milliseconds. */
  patienceMs(): number;
  /** Is there anything that waits? */
  hasWaiting(): boolean;
  onStall(): void;
}

export function createStallDetector(options: StallDetectorOptions): StallDetector {
  let running = 0;
  let alarm: AbortController | undefined;

  /** Nothing moves before a call ends or comes, so that each of these sets the alarm anew. */
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
