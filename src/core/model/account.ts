import { sha256Hex } from '../lib/hash.ts';

/** Which account of which service something belongs to; the same pair names the same fleet. */
export interface Account {
  /** Null with session credentials, which do not say it. */
  readonly companyId: string | null;
  /** The service's address without credentials, or `emulator`. */
  readonly service: string;
}

/** The key in the names of an account's files. It does not reveal the account. */
export function accountKey({ service, companyId }: Account): string {
  return sha256Hex(`${service}\n${companyId ?? ''}`).slice(0, 16);
}
