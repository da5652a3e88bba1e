import { dirname, relative } from 'node:path';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { Context } from '../shell/context.ts';
import { isThere } from './replace-files.ts';

export const usualSchema = 'schema/fleet.schema.json';

/**
 * Where a file finds the JSON Schema, as its first comment tells an editor: the one that is asked for, which must be
 * there, or the usual one where it is there. Addresses are taken as they are.
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
