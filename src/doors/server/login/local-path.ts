const longest = 2_000;

/** A path of this server to go to after signing in; `/` for anything that could lead elsewhere. */
export function localPath(given: string | null | undefined): string {
  const path = given ?? '';
  // Browsers read `//host`, `/\host` and paths with tabs as addresses of other hosts.
  if (path.length > longest || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/';
  const url = URL.parse(path, 'https://server.invalid');
  if (url === null || url.origin !== 'https://server.invalid') return '/';
  const target = `${url.pathname}${url.search}${url.hash}`;
  return target.startsWith('//') || /^\/(?:login|logout|api)(?:[/?#]|$)/.test(target) ? '/' : target;
}
