/** A crash in the form that Terraform shows to the user: it searches for `panic:` at the start of a line. */
export function crashText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return `panic: ${message.replaceAll('\n', ' ')}\n\n${stack}\n`;
}
