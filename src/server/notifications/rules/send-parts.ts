import type { SecretReader } from '../../../core/lib/surroundings.ts';
import type { AllowedAddress } from '../../../service/client/address-rules.ts';
import type { GuardedHttp } from '../../../service/client/guarded-fetch.ts';

/** What sending a message needs. */
export interface SendParts extends SecretReader {
  readonly allow: readonly AllowedAddress[];
  readonly http: GuardedHttp;
  /** Milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /** Hears why a message was not sent, and after how many milliseconds it is sent again; null: never. */
  readonly onFailure?: (message: string, retryMs: number | null) => void;
  /** Certificate authorities of a mail server, for tests. */
  readonly tls?: { readonly ca: string };
}
