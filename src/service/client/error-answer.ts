import { isInt64 } from '../../core/lib/int64.ts';
import { parseJsonBody } from './json-body.ts';
import type { HoldsSecret } from './secret-guard.ts';
import { serviceText } from './service-text.ts';

/** The content of an error body of any content type: JSON, HTML, plain text or nothing. */
export interface ErrorAnswer {
  readonly message: string | null;
  /** The hosts in it, as decimal ids. */
  readonly hostIds: readonly string[];
  /** The requested wait, in milliseconds. */
  readonly retryDelayMs?: number;
}

/** No larger body is parsed as JSON: an error has no reason to be that long. */
const parsedBytes = 16 * 1024 * 1024;
/** How much of a non-JSON body is searched for a message. */
const lookedBytes = 256 * 1024;
const decoder = new TextDecoder('utf-8');

export function readErrorAnswer(body: Uint8Array, holdsSecret: HoldsSecret): ErrorAnswer {
  const parsed = body.length <= parsedBytes ? parseJsonBody(body)?.value : undefined;
  if (typeof parsed === 'string') return { message: serviceText(parsed, holdsSecret), hostIds: [] };
  if (typeof parsed !== 'object' || parsed === null) {
    const text = decoder.decode(body.subarray(0, lookedBytes));
    return { message: serviceText(text, holdsSecret), hostIds: [] };
  }
  const { message, hostId, hostIds, retryDelay } = parsed as Readonly<Record<string, unknown>>;
  const seconds =
    typeof retryDelay === 'string' && retryDelay.trim() !== '' ? Number(retryDelay) : retryDelay;
  return {
    message: typeof message === 'string' ? serviceText(message, holdsSecret) : null,
    hostIds: [
      ...new Set([hostId, ...(Array.isArray(hostIds) ? (hostIds as readonly unknown[]) : [])].flatMap(idOf)),
    ],
    ...(typeof seconds === 'number' && seconds >= 0 ? { retryDelayMs: seconds * 1000 } : {}),
  };
}

function idOf(value: unknown): readonly string[] {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && isInt64(text) ? [text] : [];
}
