/** Is this a script, which Node runs to get the desired state? */
export function isScript(file: string): boolean {
  return /\.[cm]?[jt]s$/i.test(file) && !/\.d\.[cm]?ts$/i.test(file);
}
