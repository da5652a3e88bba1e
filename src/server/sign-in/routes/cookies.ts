/** A cookie that scripts can't read and that other sites can't send with a write. */
export interface Cookies {
  /** The value in a request; undefined if it is absent, or there twice. */
  read(headers: Headers, name: CookieName): string | undefined;
  /** A header `Set-Cookie`. An empty value removes the cookie. */
  write(name: CookieName, value: string, maxAgeSeconds: number): string;
}

export type CookieName = 'rampart-session' | 'rampart-login';

/**
 * Behind TLS, cookies are sent only over TLS, and the prefix `__Host-` keeps other hosts of the same domain from setting
 * them.
 */
export function cookiesFor(isTls: boolean): Cookies {
  const prefix = isTls ? '__Host-' : '';
  return {
    read(headers, name) {
      const values = (headers.get('cookie') ?? '')
        .split(';')
        .map((each) => each.trim())
        .filter((each) => each.startsWith(`${prefix}${name}=`))
        .map((each) => each.slice(prefix.length + name.length + 1));
      return values.length === 1 && values[0] !== '' ? values[0] : undefined;
    },
    write(name, value, maxAgeSeconds) {
      const age = value === '' ? 0 : Math.trunc(maxAgeSeconds);
      return [
        `${prefix}${name}=${value}`,
        'Path=/',
        `Max-Age=${age}`,
        'HttpOnly',
        'SameSite=Lax',
        ...(isTls ? ['Secure'] : []),
      ].join('; ');
    },
  };
}
