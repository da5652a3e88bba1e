import { parseExactJsonText } from '../../../src/core/lib/exact-json.ts';
import { createVirtualClock, type VirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import type { Method } from '../../../src/service/contract/endpoint.ts';
import type { Exchange, ExchangeOptions, ResponseMessage } from '../../../src/service/contract/message.ts';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
} from '../../../src/service/emulator/emulator.ts';
import type { FleetParts } from '../../../src/service/emulator/fleet-state.ts';
import { fleetState } from '../../../src/service/emulator/fleet-state.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body after a `)]}',` prefix, long integers as decimal strings; undefined if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of twenty shapes, looked at member by member
  readonly json: any;
}

export interface Send {
  (method: Method, path: string, body?: string, extra?: SendExtra): Promise<Reply>;
}

interface SendExtra extends ExchangeOptions {
  /** In place of the usual ones; null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export function basic(companyId: string, psk: string): string {
  return `Basic ${btoa(`${companyId}:${psk}`)}`;
}

/** Calls with the headers that the specification requires (section 5). */
export function sender(exchange: Exchange, authorization: string): Send {
  return async (method, path, body, extra = {}) => {
    const headers: Record<string, string | null> = {
      accept: 'application/JSON',
      authorization,
      ...(method === 'GET' ? {} : { 'content-type': 'application/JSON' }),
      ...extra.headers,
    };
    const present = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null);
    const message = await exchange(
      { method, path, headers: Object.fromEntries(present), body: body ?? null },
      extra.signal === undefined ? {} : { signal: extra.signal },
    );
    return toReply(message);
  };
}

function toReply(message: ResponseMessage): Reply {
  const text = new TextDecoder().decode(message.body);
  const json = text.startsWith(")]}',") ? text.slice(5) : text;
  return { status: message.status, headers: message.headers, text, json: readJson(json) };
}

function readJson(text: string): unknown {
  try {
    return parseExactJsonText(text);
  } catch {
    return undefined;
  }
}

export interface Given extends Emulator {
  readonly send: Send;
  readonly clock: VirtualClock;
}

/** An emulator of a small fleet, and a caller with its credentials. */
export function givenEmulator(
  parts: FleetParts = {},
  options: Omit<EmulatorOptions, 'state' | 'clock'> = {},
): Given {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1), { auto: true });
  const emulator = createEmulator({ ...options, clock, state: fleetState(parts) });
  const { companyId, psk } = emulator.credentials;
  return { ...emulator, clock, send: sender(emulator.exchange, basic(companyId, psk)) };
}

export const paths = {
  authentication: '/public-api/v1/authentication',
  hosts: '/public-api/v2/hosts',
  hostsV1: '/public-api/v1/hosts',
  hostsWithGroups: '/public-api/v2/hostswithgroups',
  description: (id: string) => `/public-api/v1/hosts/${id}/description`,
  connection: (id: string) => `/public-api/v1/hosts/${id}/connection`,
  groupHosts: (id: string) => `/public-api/v1/host-groups/${id}/hosts`,
  fields: (kind: string) => `/public-api/v1/inventory/${kind}/fields`,
  reports: (kind: string) => `/public-api/v1/inventory/${kind}/reports`,
  report: (kind: string, token: string) => `/public-api/v1/inventory/${kind}/reports/${token}`,
  categories: '/public-api/v1/hosts/custom-fields/categories',
  customFields: '/public-api/v1/hosts/custom-fields',
  antivirus: '/public-api/v1/hosts/anti-virus/details',
  refresh: '/public-api/v1/anti-virus/actions/refresh-status',
  install: '/public-api/v1/anti-virus/actions/install-vendor-endpoint-security',
} as const;

export const hostIds = (...ids: readonly string[]): string => `{"hostIds":[${ids.join(',')}]}`;
export const targets = (...ids: readonly string[]): string => `{"targetHostIds":[${ids.join(',')}]}`;
export const newDescription = (name: string): string => JSON.stringify({ newDescription: name });
