/** The code of a system error, such as `ENOENT`; the text of anything else that was thrown. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

const meanings: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'permission denied',
  EIO: 'the disk failed',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
};

/** The code of a system error with its meaning, such as `EROFS: the file system is read-only`. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const meaning = meanings[code];
  return meaning === undefined ? code : `${code}: ${meaning}`;
}
