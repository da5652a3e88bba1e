import { isObject } from '../../core/lib/json-object.ts';
import { type Action, api } from '../contract/api.ts';

/**
 * Names that differ between servers: the specification spells the connection path in two ways, and writes a neutral
 * word in a field and a path that contain the vendor's name (sections 2 and 4, connection rule 7).
 */
export interface Aliases {
  readonly connectionPath?: 'connection' | 'connections';
  /** The server's names for our fields. */
  readonly fields?: { readonly [Ours in VendorField]?: string };
  /** The last path segment instead of `install-vendor-endpoint-security`. */
  readonly installPath?: string;
}

type VendorField = 'vendorInstallSupported' | 'hasVendorInstalled';
const vendorFields: readonly VendorField[] = ['vendorInstallSupported', 'hasVendorInstalled'];

/** The action's path template on this server. */
export function pathTemplate(action: Action, aliases: Aliases): string {
  const { path } = api[action];
  if (action === 'connectHost') return withLastSegment(path, aliases.connectionPath);
  if (action === 'installAntivirus') return withLastSegment(path, aliases.installPath);
  return path;
}

function withLastSegment(path: string, segment: string | undefined): string {
  return segment === undefined
    ? path
    : path.slice(0, path.lastIndexOf('/') + 1) + encodeURIComponent(segment);
}

/** A response with the server's field names replaced by ours. */
export function renameFields(action: Action, body: unknown, aliases: Aliases): unknown {
  if (action !== 'listAntivirusDetails' || aliases.fields === undefined || !isObject(body)) return body;
  const { hosts } = body;
  if (!Array.isArray(hosts)) return body;
  const { fields } = aliases;
  return { ...body, hosts: hosts.map((host: unknown) => (isObject(host) ? renamed(host, fields) : host)) };
}

function renamed(host: Readonly<Record<string, unknown>>, fields: NonNullable<Aliases['fields']>): unknown {
  const copy: Record<string, unknown> = { ...host };
  for (const ours of vendorFields) {
    const theirs = fields[ours];
    if (theirs === undefined || theirs === ours || !Object.hasOwn(host, theirs)) continue;
    copy[ours] = host[theirs];
    delete copy[theirs];
  }
  return copy;
}
