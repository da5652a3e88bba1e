/** Which account of which service something belongs to; the same pair names the same fleet. */
export interface Account {
  /** Null with session credentials, which do not say it. */
  readonly companyId: string | null;
  /** The service's address without credentials, or `emulator`. */
  readonly service: string;
}
