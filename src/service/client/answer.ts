import type { ResponseMessage } from '../contract/message.ts';

/** What came of one request: a response, or none and why. */
export type Answer =
  | { readonly kind: 'response'; readonly response: ResponseMessage }
  | {
      readonly kind: 'none';
      readonly cause: 'cancelled' | 'timed-out' | 'network';
      /** False: the service can't have seen the request. */
      readonly sent: boolean;
      readonly reason: string;
      readonly permanent?: boolean;
      readonly hint?: string | undefined;
    };
