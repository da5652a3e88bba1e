export interface Pace {
  readonly beat: number;
  readonly silence: number;
}

export function withInstallLock(
  file: string,
  say: (text: string) => void,
  work: () => Promise<void> | void,
  pace?: Pace,
): Promise<void>;
