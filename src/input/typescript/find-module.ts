import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { exports as exportsOf, imports as importsOf } from 'resolve.exports';
import { failed, type Problem, type Result } from '../../core/problem/problem.ts';
import { decodeSource } from '../sources/decode-source.ts';
import { isWithin, missingPath, type Project, type ProjectFile, readOpen } from '../sources/project.ts';
import type { ModuleAnswer, ModuleKind, ModuleRequest } from './sandbox/protocol.ts';

/** More than any project needs. A script that never stops asking would otherwise keep a server busy. */
const maxRequests = 10_000;
const maxBytes = 512 * 1024 * 1024;

const onlyFiles =
  'a script can import files of its project, packages of plain JavaScript in its node_modules, and "rampart"';

interface Manifest {
  /** The folder of the package, without links. */
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Finds the files that the modules of one script import, as Node does, but only in the project. */
export interface ModuleFinder {
  readonly find: (request: ModuleRequest) => ModuleAnswer;
  readonly isCommonJs: (name: string) => boolean;
}

/** The script itself is a file of the project as well; its text is known. */
export function createModuleFinder(
  project: Project,
  script: { readonly path: string; readonly text: string },
): ModuleFinder {
  const manifests = new Map<string, Manifest | undefined>();
  const commonJs = new Set<string>();
  let requests = 0;
  let bytes = 0;

  return {
    isCommonJs: (name) => commonJs.has(name),
    find: (request) => {
      requests += 1;
      if (requests > maxRequests) return { refused: `the script imports more than ${maxRequests} modules` };
      if (bytes > maxBytes) return { refused: `the script imports more than ${maxBytes / 1024 / 1024} MiB` };
      try {
        return answer(request);
      } catch (error) {
        return { refused: `the module "${request.specifier}" can't be found: ${(error as Error).message}` };
      }
    },
  };

  function answer({ specifier, from, way }: ModuleRequest): ModuleAnswer {
    if (from === '') return found(script.path, script.text);
    if (isBuiltin(specifier))
      return { refused: `the script may not use ${specifier}`, hint: hintFor(specifier) };
    if (/^\w[\w+.-]*:/.test(specifier) || specifier.startsWith('/')) {
      return { refused: `the script may not import "${specifier}"`, hint: onlyFiles };
    }
    const importer = modulePath(project, from);
    const isPath = /^\.\.?(?:\/|$)/.test(specifier);
    const candidates = isPath
      ? spellings(resolve(dirname(importer), specifier), way === 'require')
      : packageFile(specifier, importer, way);
    const file = firstOf(candidates, specifier);
    if (!file.ok) return refusal(file.problems[0] as Problem, specifier, isPath);
    bytes += file.value.bytes.length;
    const decoded = decodeSource({ file: specifier, text: file.value.bytes }, 'module');
    return decoded.ok
      ? found(file.value.path, decoded.value.text)
      : refusal(decoded.problems[0] as Problem, specifier, isPath);
  }

  function found(path: string, text: string): ModuleAnswer {
    const name = moduleName(project, path);
    const kind = kindOf(path, text);
    if (kind === 'commonjs') commonJs.add(name);
    return { name, kind, text };
  }

  function firstOf(candidates: readonly string[], specifier: string): Result<ProjectFile> {
    let refused: Result<ProjectFile> = failed(missingPath(specifier));
    for (const path of candidates) {
      const read = readOpen(project, path, specifier);
      if (read.ok) return read;
      if (read.problems[0]?.code !== 'file-missing') refused = read;
    }
    return refused;
  }

  /** The files that a name of a package can mean, the best first. */
  function packageFile(specifier: string, importer: string, way: ModuleRequest['way']): readonly string[] {
    const conditions = { unsafe: true, conditions: [way, 'default'] };
    if (specifier.startsWith('#')) {
      const own = nearestManifest(dirname(importer));
      const inner =
        own === undefined
          ? undefined
          : importsOf(own.content as never, specifier as `#${string}`, conditions);
      return (inner ?? []).map((path) => join((own as Manifest).folder, path));
    }
    const [, name, inside = ''] = /^((?:@[\w.~-]+\/)?[\w~-][\w.~-]*)(\/.*)?$/.exec(specifier) ?? [];
    if (name === undefined) return [];
    for (let at = dirname(importer); isWithin(project, at); at = dirname(at)) {
      const manifest = manifestIn(join(at, 'node_modules', name));
      if (manifest === undefined) continue;
      const { folder, content } = manifest;
      if (content['exports'] !== undefined && content['exports'] !== null) {
        const inner = exportsOf(content as never, `.${inside}`, conditions) ?? [];
        return inner.map((path) => join(folder, path));
      }
      if (inside !== '') return spellings(join(folder, inside), true);
      const { main } = content;
      return [
        ...(typeof main === 'string' ? spellings(join(folder, main), true) : []),
        join(folder, 'index.js'),
      ];
    }
    return [];
  }

  function kindOf(path: string, text: string): ModuleKind {
    const [, letter, isCode] = /\.([cm]?)([jt]s)$/i.exec(path) ?? [];
    if (isCode === undefined) return /\.json$/i.test(path) ? 'json' : 'text';
    if (letter !== '') return letter?.toLowerCase() === 'c' ? 'commonjs' : 'module';
    const type = nearestManifest(dirname(path))?.content['type'];
    if (type === 'module' || type === 'commonjs') return type;
    return hasModuleSyntax.test(text) || !hasCommonJsSyntax.test(text) ? 'module' : 'commonjs';
  }

  function nearestManifest(folder: string): Manifest | undefined {
    for (let at = folder; isWithin(project, at); at = dirname(at)) {
      const manifest = manifestIn(at);
      if (manifest !== undefined) return manifest;
    }
    return undefined;
  }

  function manifestIn(folder: string): Manifest | undefined {
    if (!manifests.has(folder)) manifests.set(folder, readManifest(folder));
    return manifests.get(folder);
  }

  function readManifest(folder: string): Manifest | undefined {
    const path = join(folder, 'package.json');
    const file = readOpen(project, path, path);
    if (!file.ok) return undefined;
    const content: unknown = JSON.parse(Buffer.from(file.value.bytes).toString());
    return typeof content === 'object' && content !== null
      ? { folder: dirname(file.value.path), content: content as Readonly<Record<string, unknown>> }
      : undefined;
  }
}

/** Without "type" in package.json, Node decides by the syntax. */
const hasModuleSyntax = /(?:^|[;}])[^\S\r\n\u2028\u2029]*(?:import\b(?!\s*\()|export\b)/m;
const hasCommonJsSyntax = /\bmodule\.exports\b|\bexports\b|\brequire\s*\(/;

function hintFor(builtin: string): string {
  return /^(?:node:)?fs\b/.test(builtin)
    ? 'import the file instead, such as import sites from "./sites.json"; files of other kinds are text'
    : onlyFiles;
}

/** Only `require` may leave out the end of a name. */
function spellings(path: string, isLenient: boolean): readonly string[] {
  return isLenient
    ? [path, ...['.js', '.json', '.cjs'].map((ending) => `${path}${ending}`), join(path, 'index.js')]
    : [path];
}

function refusal({ code, message, hint }: Problem, specifier: string, isPath: boolean): ModuleAnswer {
  if (code !== 'file-missing') return { refused: message, ...(hint === undefined ? {} : { hint }) };
  return {
    refused: `the module "${specifier}" can't be found`,
    hint: isPath
      ? 'the path is relative to the file that imports it, and ends like the file itself: "./sites.ts"'
      : 'install the package in the project of the script',
  };
}

/** The name of a file inside the sandbox: it does not reveal where the project is on this machine. */
export function moduleName(project: Project, path: string): string {
  return `file:///${relative(project, path).split(sep).map(encodeURIComponent).join('/')}`;
}

/** The path that such a name stands for, in the project or not. */
export function modulePath(project: Project, name: string): string {
  return join(project, ...new URL(name).pathname.split('/').map(decodeURIComponent));
}
