/** Names the variable with the job: it holds a key, so it is no argument. */
export const jobVariable = 'RAMPART_BENCH_JOB';

export interface SendJob {
  readonly way: 'bare' | 'rampart';
  readonly url: string;
  readonly companyId: string;
  readonly psk: string;
  readonly size: number;
  /** Calls at once, of the bare loop. */
  readonly atOnce: number;
  /** The names that the hosts get now; they have those before. */
  readonly generation: number;
  /** The database that stores the run; a folder when absent. */
  readonly stateUrl?: string;
}

/** The report of a process that sends renames. */
export interface Sent {
  readonly calls: number;
  /** The average number of calls in flight at each new call, including itself. */
  readonly atOnce: number;
  /** Calls a second from the first to the last. */
  readonly rate: number;
  /** The same without the first quarter, in which a pacer finds its rate. */
  readonly laterRate: number;
  /** Of this process, in milliseconds a call. */
  readonly cpuMs: number;
  /** Live memory when a quarter and when all was sent, in MB. */
  readonly heapMb: readonly [number, number];
}

/** Starts the clocks; call it for each call that has ended; it stops them after the last. */
export function meter(calls: number): {
  readonly ended: () => void;
  readonly read: (atOnce: number) => Sent;
} {
  const quarter = Math.floor(calls / 4);
  const start = performance.now();
  const cpu = process.cpuUsage();
  const marks: { readonly at: number; readonly heapMb: number; readonly cpuMs: number }[] = [];
  let ended = 0;
  const mark = () => {
    const at = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    globalThis.gc?.();
    marks.push({ at, cpuMs: (user + system) / 1000, heapMb: process.memoryUsage().heapUsed / 2 ** 20 });
  };
  return {
    ended() {
      ended += 1;
      if (ended === quarter || ended === calls) mark();
    },
    read(atOnce) {
      const [early, late] = marks;
      if (early === undefined || late === undefined) throw new Error(`only ${ended} of ${calls} calls ended`);
      return {
        calls,
        atOnce,
        rate: (calls * 1000) / (late.at - start),
        laterRate: ((calls - quarter) * 1000) / (late.at - early.at),
        cpuMs: late.cpuMs / calls,
        heapMb: [early.heapMb, late.heapMb],
      };
    },
  };
}
