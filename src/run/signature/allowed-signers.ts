import { quoted } from '../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { publicKeyOf } from './ssh-key.ts';

/** Who may sign, and with which key. */
export interface AllowedSigner {
  readonly names: readonly string[];
  readonly publicBlob: Buffer;
}

const line = /^(\S+)\s+(\S+)\s+([A-Za-z0-9+/]+={0,2})(?:\s.*)?$/;

/**
 * A file of allowed signers, as ssh-keygen reads it: names separated by commas, `ssh-ed25519`, the key and a comment.
 * Options and patterns are refused, because ignoring one could allow too much.
 */
export function readAllowedSigners(text: string, file: string): Result<readonly AllowedSigner[]> {
  const signers: AllowedSigner[] = [];
  const problems: Problem[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const content = written.trim();
    if (content === '' || content.startsWith('#')) continue;
    const [, names = '', type = '', key = ''] = line.exec(content) ?? [];
    const publicBlob = Buffer.from(key, 'base64');
    const why = /[*?!]/.test(names)
      ? 'has a pattern in its names'
      : type !== 'ssh-ed25519'
        ? 'has options, or a key that is not of the type ssh-ed25519'
        : publicKeyOf(publicBlob) === undefined
          ? 'has no valid key'
          : undefined;
    if (why === undefined) signers.push({ names: names.split(','), publicBlob });
    else problems.push(notSigner(file, index + 1, why));
  }
  return problems.length > 0 ? failed(...problems) : ok(signers);
}

function notSigner(file: string, number: number, why: string): Problem {
  return problem('configuration', `this line of allowed signers ${why}`, {
    place: { file, line: number, col: 1, wholeLine: true },
    hint: `write: ${quoted('NAME ssh-ed25519 KEY')}, with the content of the .pub file of ssh-keygen`,
  });
}
