import type { Step } from '../../../src/core/plan/types/step.ts';
import type { RequestMessage } from '../../../src/service/contract/message.ts';
import type { Emulator } from '../../../src/service/emulator/emulator.ts';
import { routeRequest } from '../../../src/service/emulator/gate.ts';
import { parseBody } from '../../../src/service/emulator/request-body.ts';
import { createRouter } from '../../../src/service/emulator/router.ts';
import { defaultSwitches } from '../../../src/service/emulator/switch-table.ts';
import { type Seen, type SeenHost, seenHosts } from './seen.ts';

/** What a write does to one host. */
export interface Effect {
  readonly kind: 'rename' | 'move' | 'delete' | 'install' | 'other';
  readonly host: string;
  /** The name or the group that the host gets. */
  readonly to: string;
}

/** Equal for equal effects, and for people. */
export function textOf({ kind, host, to }: Effect): string {
  return `${kind} ${host}${to === '' ? '' : ` to ${JSON.stringify(to)}`}`;
}

const router = createRouter(defaultSwitches);

/** The effects that a request wants; none if it only reads. */
export function effectsOf(request: RequestMessage): readonly Effect[] {
  if (request.method === 'GET') return [];
  const routed = routeRequest(request, router, defaultSwitches);
  if (!routed.ok) return [{ kind: 'other', host: '', to: request.path }];
  const { action, parameters } = routed.value;
  const body = parseBody(request.body ?? '{}') as Readonly<Record<string, unknown>>;
  const hosts = ((body['hostIds'] ?? body['targetHostIds'] ?? []) as readonly bigint[]).map(String);
  switch (action) {
    case 'renameHost':
      return [{ kind: 'rename', host: parameters['host-id'] ?? '', to: String(body['newDescription']) }];
    case 'moveHosts':
      return hosts.map((host) => ({ kind: 'move', host, to: parameters['groupid'] ?? '' }));
    case 'deleteHosts':
      return hosts.map((host) => ({ kind: 'delete', host, to: '' }));
    case 'installAntivirus':
      return hosts.map((host) => ({ kind: 'install', host, to: '' }));
    case 'refreshAntivirusStatus':
      return hosts.map((host) => ({ kind: 'other', host, to: 'refresh' }));
    default:
      return hosts.map((host) => ({ kind: 'other', host, to: action }));
  }
}

/** The effects of a step of a plan. */
export function effectsIn(step: Step): readonly Effect[] {
  switch (step.kind) {
    case 'rename':
    case 'temporary-rename':
      return [{ kind: 'rename', host: step.hostId, to: step.to }];
    case 'move':
      return step.hosts.map(({ hostId }) => ({ kind: 'move', host: hostId, to: step.groupId }));
    case 'delete':
      return step.hosts.map(({ hostId }) => ({ kind: 'delete', host: hostId, to: '' }));
    case 'antivirus':
      return step.hosts.map(({ hostId }) => ({ kind: 'install', host: hostId, to: '' }));
    case 'refresh':
      return step.hosts.map(({ hostId }) => ({ kind: 'other', host: hostId, to: step.kind }));
  }
}

/** Whether a host is as the effect makes it. */
function isEffective(host: SeenHost | undefined, { kind, to }: Effect): boolean {
  if (kind === 'delete') return host === undefined;
  if (kind === 'install') return host?.isInstalled === true;
  return host !== undefined && (kind === 'rename' ? host.name === to : host.groupId === to);
}

export function shows({ hosts }: Seen, effect: Effect): boolean {
  return isEffective(hosts.get(effect.host), effect);
}

export function holdsIn(emulator: Emulator, effect: Effect): boolean {
  return isEffective(seenHosts(emulator).get(effect.host), effect);
}
