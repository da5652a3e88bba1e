/** Names that fold alike may be one name to the service: its letter-case rule is not documented. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
