/** Files that are run, by Node itself, to say what they ask for. */
export function isScript(file: string): boolean {
  return /\.[cm]?[jt]s$/i.test(file) && !/\.d\.[cm]?ts$/i.test(file);
}
