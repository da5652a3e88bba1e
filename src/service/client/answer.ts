import type { ResponseMessage } from '../contract/message.ts';

/** The result of one request: a response, or the reason why there is none. */
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
