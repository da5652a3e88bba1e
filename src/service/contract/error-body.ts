import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import type { ResponseContract } from './endpoint.ts';
import { int64 } from './integer.ts';

/**
 * The body of an error. `message` is in the spec; live services add the other two. All are optional, because the spec
 * does not show the body of many errors.
 */
export const errorBody = once(() =>
  z.looseObject({
    message: z.string().nullish(),
    hostId: int64().optional(),
    hostIds: z.array(int64()).optional(),
    retryDelay: z.number().optional(),
  }),
);

/** The errors that every action may return (section 7). */
export const commonErrors = {
  400: { meaning: 'a required parameter is missing or invalid', body: errorBody },
  401: { meaning: 'credentials are absent or invalid', body: errorBody },
  415: { meaning: 'the request was not in JSON format', body: errorBody },
} as const satisfies Record<number, ResponseContract>;

export const rateLimitError = {
  429: { meaning: 'denied due to rate limiting', body: errorBody },
} as const satisfies Record<number, ResponseContract>;
