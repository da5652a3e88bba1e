import { type ActionRoute, actionRoutes, type EmulatedAction } from './emulated-action.ts';
import type { Switches } from './switches.ts';

type Routing =
  | {
      readonly kind: 'action';
      readonly action: EmulatedAction;
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'unknown-path' }
  | {
      readonly kind: 'wrong-method';
      readonly allowed: readonly string[];
      readonly path: 'connection' | 'other';
    };

export type Router = (method: string, path: string) => Routing;

interface Pattern {
  readonly route: ActionRoute;
  readonly expression: RegExp;
  readonly names: readonly string[];
}

const connectionPath = '/public-api/v1/hosts/{host-id}/connection';

export function createRouter(switches: Switches): Router {
  const patterns = actionRoutes.flatMap((route) =>
    spellings(route.path, switches).map((path) => toPattern(route, path)),
  );
  return (method, target) => {
    const path = target.split('?', 1)[0] as string;
    const here = patterns.flatMap((pattern) => {
      const match = pattern.expression.exec(path);
      return match === null ? [] : [{ pattern, match }];
    });
    if (here.length === 0) return { kind: 'unknown-path' };
    const found = here.find(({ pattern }) => pattern.route.method === method);
    if (found === undefined) {
      return {
        kind: 'wrong-method',
        allowed: here.map(({ pattern }) => pattern.route.method),
        path: here.some(({ pattern }) => pattern.route.action === 'connectHost') ? 'connection' : 'other',
      };
    }
    const { pattern, match } = found;
    return {
      kind: 'action',
      action: pattern.route.action,
      parameters: Object.fromEntries(
        pattern.names.map((name, index) => [name, decoded(match[index + 1] as string)]),
      ),
    };
  };
}

/** The specification spells the connection path in two ways, and has a neutral word for the vendor. */
function spellings(path: string, switches: Switches): readonly string[] {
  if (path !== connectionPath) return [path.replace('install-vendor-', `install-${switches.vendorWord}-`)];
  const plural = `${path}s`;
  switch (switches.connectionSegment) {
    case 'connection':
      return [path];
    case 'connections':
      return [plural];
    case 'either':
      return [path, plural];
  }
}

function toPattern(route: ActionRoute, path: string): Pattern {
  const names: string[] = [];
  const source = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  return { route, expression: new RegExp(`^${source}$`), names };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
