import type { Meter } from '@opentelemetry/api';
import type { CallEvent } from '../../core/model/run-event.ts';
import type { Hear } from './telemetry-event.ts';

/**
 * In seconds: the bounds that OpenTelemetry recommends for requests, and longer ones for waits up to the known limits.
 */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const waitBounds = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300];

/**
 * Counters and histograms of calls and steps. No attribute identifies hosts or runs, which keeps the number of series
 * small.
 */
export function createMeters(meter: Meter): Hear {
  const calls = meter.createCounter('rampart.calls', {
    description: 'Requests by action and status.',
    unit: '{call}',
  });
  const limited = meter.createCounter('rampart.calls.rate_limited', {
    description: 'Requests answered with 429.',
    unit: '{call}',
  });
  const retries = meter.createCounter('rampart.calls.retries', {
    description: 'Calls that are retried after a temporary failure.',
    unit: '{retry}',
  });
  const steps = meter.createCounter('rampart.steps', {
    description: 'Steps by kind and outcome.',
    unit: '{step}',
  });
  const commands = meter.createCounter('rampart.commands', {
    description: 'Commands by exit code.',
    unit: '{command}',
  });
  const duration = meter.createHistogram('http.client.request.duration', {
    description: 'The time from request to response.',
    unit: 's',
    advice: { explicitBucketBoundaries: durationBounds },
  });
  const wait = meter.createHistogram('rampart.call.wait', {
    description: 'The time that a request waited for its turn.',
    unit: 's',
    advice: { explicitBucketBoundaries: waitBounds },
  });
  let command = '';

  function call({ action, method, path, status, ms, waitedMs }: CallEvent): void {
    const answer = status === null ? { 'error.type': 'no-reply' } : { 'http.response.status_code': status };
    calls.add(1, { 'rampart.action': action, ...answer });
    if (status === 429) limited.add(1, { 'rampart.action': action });
    duration.record(ms / 1000, { 'http.request.method': method, 'url.template': path, ...answer });
    wait.record(waitedMs / 1000, { 'rampart.action': action });
  }

  const hear: Hear = (event) => {
    switch (event.type) {
      case 'job_event':
        return hear(event.event);
      case 'call':
        return call(event);
      case 'retry':
        return retries.add(1, { 'rampart.action': event.action, 'error.type': event.code });
      case 'step_end':
        return steps.add(1, { 'rampart.step.kind': event.kind, 'rampart.step.outcome': event.outcome });
      case 'command_start':
        command = event.command;
        return;
      case 'command_end':
        return commands.add(1, { 'rampart.command': command, 'rampart.exit_code': event.exitCode });
      case 'run_start':
      case 'run_end':
      case 'step_start':
      case 'waiting':
      case 'diagnostic':
      case 'interrupted':
      case 'crash':
      case 'job_start':
      case 'job_end':
      case 'metrics':
        return;
    }
  };
  return hear;
}
