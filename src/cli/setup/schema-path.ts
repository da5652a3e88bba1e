import { dirname, relative } from 'node:path';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { isThere } from '../../run/state/files/run-files.ts';
import type { Context } from '../shell/context.ts';

export const usualSchema = 'schema/fleet.schema.json';

/**
 * The path of the JSON Schema for the first comment of a file, which editors read: the requested file, which must
 * exist, or the default file if it exists. URLs are used unchanged.
 */
export async function findSchema(
  context: Context,
  asked: string | undefined,
): Promise<Result<((file: string) => string) | undefined>> {
  if (asked !== undefined && /^https?:\/\/\S+$/.test(asked)) return ok(() => asked);
  const schema = asked ?? usualSchema;
  if (await isThere(context.path(schema))) {
    return ok((file) => addressFrom(dirname(context.path(file)), context.path(schema)));
  }
  if (asked === undefined) return ok(undefined);
  return failed(
    problem('file-missing', `the file ${asked} does not exist`, {
      hint: `create it: rampart schema > ${asked}`,
    }),
  );
}

function addressFrom(folder: string, path: string): string {
  return encodeURI(relative(folder, path).replaceAll('\\', '/'));
}
