interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What a trace must have for `mainThreadOf`. */
export const traceCategories = ['toplevel', 'disabled-by-default-devtools.timeline'];

/** The CPU time of the main thread of a page in a trace of Chromium, in milliseconds: all of it, and of its longest task. */
export function mainThreadOf(trace: Buffer): { readonly total: number; readonly longest: number } {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents
    .filter((event) => event.name.endsWith('RunTask') && main.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1_000);
  return {
    total: tasks.reduce((sum, each) => sum + each, 0),
    longest: tasks.reduce((longest, each) => Math.max(longest, each), 0),
  };
}
