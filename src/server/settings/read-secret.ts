import { type LocalSource, readLocal } from '../../accounts/config/read-token.ts';
import type { SecretReader } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The secret at a location. `what` names it in problems: "the client secret". No problem quotes it. */
export function readSecret(source: LocalSource, what: string, reader: SecretReader): Result<string> {
  const read = readLocal(source, reader, 'file');
  if (!read.ok)
    return failed(...read.problems.map((each) => ({ ...each, message: `${what}: ${each.message}` })));
  if (read.value === undefined) {
    const where = source.kind === 'variable' ? `the variable ${source.variable}` : source.file;
    return failed(
      problem('missing-credentials', `${what} is missing: ${where} is empty`, {
        hint: source.kind === 'variable' ? `set ${source.variable}` : 'write the secret to the file',
      }),
    );
  }
  reader.hide(secretParts(read.value));
  return ok(read.value, read.problems);
}

/** A part of this length is recognized wherever it is shown. */
const longPart = 16;

/**
 * Of an address, only the user and the part after the host are secret. Other messages show the host, or others of its
 * domain. A short path is not recognized without the end of the host, because it can be an ordinary word.
 */
function secretParts(value: string): readonly string[] {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return [value];
  const [, user, path = ''] = /^[^:]*:[/\\]*(?:([^/\\?#]*)@)?[^/\\?#]*(.*)$/s.exec(value) ?? [];
  const rest = path.length > longPart ? path.slice(1) : value.slice(-longPart);
  return [...(user === undefined ? [] : [user]), ...(path.length > 1 ? [rest] : [])];
}
