/**
 * Where V8's compiled code may be kept: a folder of this user below the cache folder of their home, or undefined if
 * anyone else could put code into it. What is in it is executed, so the temporary folder, which all users share, will not
 * do. The launcher of the provider holds the text of this function, so it uses nothing from around it.
 */
export function ownCacheFolder(env = process.env) {
  const { mkdirSync, realpathSync, statSync } = process.getBuiltinModule('node:fs');
  const { homedir } = process.getBuiltinModule('node:os');
  const { dirname, join } = process.getBuiltinModule('node:path');
  const [writableByOthers, sticky] = [0o022, 0o1000];
  try {
    const given = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rampart', 'compiled');
    mkdirSync(given, { recursive: true, mode: 0o700 });
    const folder = realpathSync(given);
    const user = process.getuid?.();
    // On Windows the home folder is the user's by its access list.
    if (user === undefined) return folder;
    const own = statSync(folder);
    if (own.uid !== user || (own.mode & writableByOthers) !== 0) return undefined;
    for (let at = dirname(folder); ; at = dirname(at)) {
      const { uid, mode } = statSync(at);
      const isSafe = (mode & writableByOthers) === 0 || (mode & sticky) !== 0;
      if (!isSafe || (uid !== user && uid !== 0)) return undefined;
      if (dirname(at) === at) return folder;
    }
  } catch {
    return undefined;
  }
}
