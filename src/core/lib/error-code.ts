/** The code of a system error, such as `ENOENT`; the text of anything else that was thrown. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
