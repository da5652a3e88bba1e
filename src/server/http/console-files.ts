import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { entityTagOf, taggedAnswer } from './entity-tag.ts';

interface ConsoleFile {
  readonly type: string;
  readonly isImmutable: boolean;
  /** By content encoding; `identity` is always there. */
  readonly bodies: Readonly<
    Record<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly tag: string }>
  >;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

const encodings = { br: '.br', gzip: '.gz' } as const;

/** The built console. Only files that existed at the start are served, so no address can lead out of the folder. */
export interface ConsoleFiles {
  /** The file at this path, or the page itself for a path of the console; undefined if there is neither. */
  answer(request: Request, path: string): Response | undefined;
}

export function loadConsoleFiles(folder: string): ConsoleFiles {
  const files = readFiles(folder);
  return {
    answer(request, path) {
      // A page of the console may end with the name of an account, which may contain a dot, so the browser's Accept
      // header decides.
      const isPage =
        path === '/' ||
        (!path.startsWith('/assets/') && (request.headers.get('accept') ?? '').includes('text/html'));
      const file = files.get(path) ?? (isPage ? files.get('/index.html') : undefined);
      return file === undefined ? undefined : fileAnswer(file, request);
    },
  };
}

function readFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
    .map((path) => (path.startsWith('/') ? path : `/${path}`))
    .filter((path) => types[extname(path)] !== undefined && !path.includes('/.'));
  return new Map(paths.map((path) => [path, readFile(folder, path)]));
}

function readFile(folder: string, path: string): ConsoleFile {
  const bodyOf = (name: string) => {
    const bytes = new Uint8Array(readFileSync(name));
    return { bytes, tag: entityTagOf(bytes) };
  };
  const name = join(folder, path);
  const encoded = Object.entries(encodings)
    .filter(([, ending]) => existsSync(name + ending))
    .map(([encoding, ending]) => [encoding, bodyOf(name + ending)] as const);
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    isImmutable: path.startsWith('/assets/'),
    bodies: { identity: bodyOf(name), ...Object.fromEntries(encoded) },
  };
}

function fileAnswer({ type, isImmutable, bodies }: ConsoleFile, request: Request): Response {
  const accepted = (request.headers.get('accept-encoding') ?? '').toLowerCase();
  const accepts = (encoding: string) =>
    new RegExp(`(^|,)\\s*${encoding}\\s*(;\\s*q\\s*=\\s*(1(\\.0*)?|0\\.0*[1-9]\\d*)\\s*)?(,|$)`).test(
      accepted,
    );
  const encoding = ['br', 'gzip'].find((each) => bodies[each] !== undefined && accepts(each)) ?? 'identity';
  const body = bodies[encoding];
  if (body === undefined) return new Response(null, { status: 404 });
  return taggedAnswer(request, body.bytes, {
    'content-type': type,
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: body.tag,
    vary: 'accept-encoding',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    'content-length': String(body.bytes.byteLength),
  });
}
