/** How much one source may cost. */
export interface SourceLimits {
  /** For one look at the remote, with everything that is fetched. */
  readonly timeMs: number;
  /** What Git may receive and store, in bytes. */
  readonly fetchedBytes: number;
  readonly files: number;
  readonly fileBytes: number;
  /** All files together. */
  readonly totalBytes: number;
  /** How many bytes of files are in memory at the same time; one larger file is read by itself. */
  readonly bytesAtOnce: number;
}

const mebibyte = 1024 * 1024;

export const usualLimits: SourceLimits = {
  timeMs: 120_000,
  fetchedBytes: 256 * mebibyte,
  files: 50_000,
  fileBytes: 64 * mebibyte,
  totalBytes: 512 * mebibyte,
  bytesAtOnce: 16 * mebibyte,
};
