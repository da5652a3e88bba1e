/**
 * A comment for a description in the provider's schema, whose Markdown has code in Terraform's language: names of
 * arguments are replaced by those in TypeScript, and so are maps.
 */
export function docText(text: string, nameOf: (word: string) => string): string {
  const own = text.replaceAll(/`([^`]+)`/g, (_all, code: string) =>
    /^[a-z_]+$/.test(code)
      ? `\`${nameOf(code)}\``
      : `\`${code.startsWith('{') ? code.replaceAll(' = ', ': ') : code}\``,
  );
  return `/** ${own.replaceAll('*/', '*\\/')} */\n`;
}
