import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import type { ResponseContract } from './endpoint.ts';
import { int64 } from './integer.ts';

/**
 * The body of an error: `message` by the spec; the other two are what live services add. All are optional,
 * as the body of many an error is not shown.
 */
export const errorBody = once(() =>
  z.looseObject({
    message: z.string().nullish(),
    hostId: int64().optional(),
    hostIds: z.array(int64()).optional(),
    retryDelay: z.number().optional(),
  }),
);

/** What every action may answer (section 7). */
export const commonErrors = {
  400: { meaning: 'a required parameter is missing or invalid', body: errorBody },
  401: { meaning: 'credentials are absent or invalid', body: errorBody },
  415: { meaning: 'the request was not in JSON format', body: errorBody },
} as const satisfies Record<number, ResponseContract>;

export const rateLimitError = {
  429: { meaning: 'denied due to rate limiting', body: errorBody },
} as const satisfies Record<number, ResponseContract>;
