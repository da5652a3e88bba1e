import type { ResponseMessage } from '../contract/message.ts';
import { type EmulatedAnswer, success } from './answer.ts';
import { type FaultEffect, findEffect } from './fault.ts';
import type { StoredHostState } from './fleet-state.ts';
import type { FleetStore, FleetView } from './fleet-store.ts';
import { tooManyRequests } from './rate-limit-answer.ts';
import { createReportStore } from './report-store.ts';
import type { Service } from './service.ts';
import type { Switches } from './switches.ts';

/** The fleet as a list shows it under these faults. */
export function shownFleet(store: FleetStore, effects: readonly FaultEffect[]): FleetView {
  const stale = findEffect(effects, 'stale-list');
  const short = findEffect(effects, 'short-list');
  const missing = findEffect(effects, 'missing-hosts');
  const repeated = findEffect(effects, 'repeated-hosts');
  const view = stale === undefined ? store.now : store.asOf(stale.writes);
  if (short === undefined && missing === undefined && repeated === undefined) return view;
  const hidden = new Set(missing?.ids);
  const all: readonly StoredHostState[] = [...view.hosts].filter(({ id }) => !hidden.has(id));
  const shown = short === undefined ? all : all.slice(0, Math.floor(all.length * short.share));
  return { groups: view.groups, hosts: [...shown, ...shown.slice(0, repeated?.hosts ?? 0)] };
}

/** The service in a faulty state: everything can be read, but no change persists. */
export function idleService(service: Service): Service {
  return {
    ...service,
    store: { ...service.store, putHost: () => {}, removeHost: () => {} },
    reports: createReportStore(service.switches),
    installs: new Map(service.installs),
  };
}

export function spoilBody(message: ResponseMessage, effects: readonly FaultEffect[]): ResponseMessage {
  const cut = findEffect(effects, 'truncated-body');
  if (cut === undefined) return message;
  return { ...message, body: message.body.subarray(0, Math.floor(message.body.length * cut.share)) };
}

/** The response of a fault instead of the action. */
export function answerInstead(
  effects: readonly FaultEffect[],
  switches: Switches,
): EmulatedAnswer | undefined {
  const limited = findEffect(effects, 'rate-limit');
  if (limited !== undefined) return tooManyRequests(switches, (limited.retryDelay ?? 1) * 1000);
  const status = findEffect(effects, 'status');
  return status === undefined || status.when === 'after' ? undefined : statusAnswer(status);
}

/** The response of a fault after the action is done. */
export function answerAfterwards(effects: readonly FaultEffect[], answer: EmulatedAnswer): EmulatedAnswer {
  const status = findEffect(effects, 'status');
  return status?.when === 'after' ? statusAnswer(status) : answer;
}

function statusAnswer(effect: Extract<FaultEffect, { kind: 'status' }>): EmulatedAnswer {
  const { status, text } = effect;
  const headers = effect.headers === undefined ? {} : { headers: effect.headers };
  if (text !== undefined) return { status, body: text, contentType: 'text/html; charset=utf-8', ...headers };
  // Plain text rather than a refusal of the service: a program that responds in its place names no host.
  return {
    ...success(
      JSON.stringify({
        message: status < 500 ? 'The service refuses the request.' : 'The service has a problem.',
      }),
      status,
    ),
    ...headers,
  };
}
