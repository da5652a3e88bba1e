import {
  accountKeys,
  entryKeys,
  fileKeys,
  groupKeys,
  type Keys,
  limitKeys,
  policyKeys,
} from '../../src/desired/file-keys.ts';
import { table } from './commands-page.ts';

const tables: Readonly<Record<string, Keys>> = {
  file: fileKeys,
  account: accountKeys,
  entry: entryKeys,
  group: groupKeys,
  policy: policyKeys,
  limits: limitKeys,
};

/** The page with every table between `<!-- keys: NAME -->` and `<!-- end -->` written anew. */
export function withKeyTables(page: string): string {
  return page.replaceAll(
    /<!-- keys: (\w+) -->\n[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- keys: ${name} -->\n${keyTable(name)}\n<!-- end -->`,
  );
}

/** Which tables a page has to have. */
export const keyTableNames: readonly string[] = Object.keys(tables);

function keyTable(name: string): string {
  const keys = tables[name];
  if (keys === undefined) throw new Error(`there is no table of keys called ${name}`);
  return table(
    ['key', 'meaning'],
    Object.entries(keys).map(([key, meaning]) => [`\`${key}\``, meaning]),
  );
}
