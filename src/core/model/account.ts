import { sha256Hex } from '../lib/hash.ts';

/** An account of a service; the same pair identifies the same fleet. */
export interface Account {
  /** Null for session credentials, which do not contain it. */
  readonly companyId: string | null;
  /** The service's address without credentials, or `emulator`. */
  readonly service: string;
}

export function equalAccounts(one: Account, other: Account): boolean {
  return one.companyId === other.companyId && one.service === other.service;
}

/** An account in files and records. */
export interface RecordedAccount {
  readonly company_id: string | null;
  readonly service: string;
}

export function recordOfAccount({ companyId, service }: Account): RecordedAccount {
  return { company_id: companyId, service };
}

export function accountOfRecord({ company_id: companyId, service }: RecordedAccount): Account {
  return { companyId, service };
}

/** The address of a service without any part that could be secret. */
export function bareAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The key of an account in file names. It does not reveal the account. */
export function accountKey({ service, companyId }: Account): string {
  return sha256Hex(`${service}\n${companyId ?? ''}`).slice(0, 16);
}
