/** Endings of tables, in a desired state or about its hosts. */
export const tableEndings = ['csv', 'tsv', 'json', 'ndjson', 'jsonl'] as const;
const yamlEndings = ['yaml', 'yml'] as const;
const scriptEndings = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'] as const;

const endings: ReadonlySet<string> = new Set([...yamlEndings, ...tableEndings, ...scriptEndings]);

/** Can a desired state consist of such a file, or read it? Other files, such as keys, are not part of one. */
export function mayBeRead(path: string): boolean {
  const [, ending = ''] = /\.([^./\\]+)$/.exec(path) ?? [];
  return endings.has(ending.toLowerCase());
}
