/** The command that adopts the values of these hosts; of all that changed in the fleet if none is named. */
export function adoptCommand(
  account: string,
  ids: readonly string[],
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): string {
  return [
    'rampart import drift',
    ...ids.map(shellWord),
    '--account',
    shellWord(account),
    ...(isDryRun ? ['--dry-run'] : []),
  ].join(' ');
}

/** Text as one word of a POSIX shell: other people chose it. */
function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
