/** The span of another program that is the parent of ours (W3C Trace Context, section 3.2). */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const onlyZeros = /^0+$/;

/** Reads `TRACEPARENT`; undefined if it is invalid, which is not an error. */
export function readTraceParent(value: string | undefined): TraceParent | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = form.exec((value ?? '').trim()) ?? [];
  if (traceId === '' || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}
