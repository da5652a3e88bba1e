const longest = 2_000;

/** A path of this server to go to after signing in; `/` for anything that could lead elsewhere. */
export function localPath(given: string | null | undefined): string {
  const path = given ?? '';
  // Browsers read `//host`, `/\host` and paths with tabs as addresses of other hosts.
  if (path.length > longest || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/';
  const { pathname, search, hash } = new URL(path, 'https://server.invalid');
  const target = `${pathname}${search}${hash}`;
  return target.startsWith('//') || /^\/(?:login|logout|api)(?:[/?#]|$)/.test(target) ? '/' : target;
}
