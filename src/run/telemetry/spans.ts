import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Clock } from '../../core/lib/surroundings.ts';
import { type CallEvent, isDoneOutcome } from '../../core/model/run-event.ts';
import type { Hear, JobStart, StepStart } from './telemetry-event.ts';

export interface SpanOptions {
  readonly tracer: Tracer;
  readonly clock: Clock;
  /** The parent of the command's span. */
  readonly parent: Context;
  readonly namesHosts: boolean;
}

/** How many hosts of a batch are named, if hosts are named at all. */
const mostHosts = 50;

/** Spans of a command: command, run, step, call. A call without a step is a child of the run or the command. */
export function createSpans({ tracer, clock, parent, namesHosts }: SpanOptions): Hear {
  const steps = new Map<string, Span>();
  const jobs = new Map<string, ReturnType<typeof startJob>>();
  let command: Span | undefined;
  let run: Span | undefined;

  const below = (span: Span | undefined) => (span === undefined ? parent : trace.setSpan(parent, span));
  const open = (name: string, above: Span | undefined, attributes: Attributes) =>
    tracer.startSpan(name, { attributes, startTime: clock.now() }, below(above));

  function call(event: CallEvent): void {
    const { method, path, status, ms, step } = event;
    const above = (step === undefined ? undefined : steps.get(step)) ?? run ?? command;
    const end = clock.now();
    const attributes = callAttributes(event);
    const span = tracer.startSpan(
      `${method} ${path}`,
      { kind: SpanKind.CLIENT, startTime: end - ms, attributes },
      below(above),
    );
    if (status === null || status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }

  /** Its own trace, because a server has no end that anyone waits for. */
  function startJob({ kind, account }: JobStart) {
    const attributes = { 'rampart.account': account, 'rampart.job.kind': kind };
    const span = tracer.startSpan(kind, { attributes, startTime: clock.now(), root: true });
    const hear = createSpans({ tracer, clock, parent: trace.setSpan(ROOT_CONTEXT, span), namesHosts });
    return {
      hear,
      end(isFailed: boolean) {
        hear({ type: 'command_end', exitCode: 0, ms: 0 });
        if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(clock.now());
      },
    };
  }

  return (event) => {
    switch (event.type) {
      case 'command_start':
        command = open(`rampart ${event.command}`, undefined, {
          'rampart.command': event.command,
          'rampart.version': event.version,
        });
        return;
      case 'command_end':
        for (const span of [...steps.values(), run]) span?.end(clock.now());
        command?.setAttribute('rampart.exit_code', event.exitCode);
        if (event.exitCode !== 0 && event.exitCode !== 2) command?.setStatus({ code: SpanStatusCode.ERROR });
        command?.end(clock.now());
        return;
      case 'run_start':
        run = open('run', command, {
          'rampart.run.id': event.runId,
          'rampart.run.steps': event.steps,
          'rampart.run.calls': event.calls,
        });
        return;
      case 'run_end':
        run?.setAttribute('rampart.exit_code', event.exitCode);
        if (event.exitCode !== 0) run?.setStatus({ code: SpanStatusCode.ERROR });
        run?.end(clock.now());
        run = undefined;
        return;
      case 'step_start':
        steps.set(event.step, open(`step ${event.kind}`, run ?? command, stepAttributes(event, namesHosts)));
        return;
      case 'step_end': {
        const span = steps.get(event.step);
        span?.setAttribute('rampart.step.outcome', event.outcome);
        if (!isDoneOutcome(event.outcome)) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end(clock.now());
        steps.delete(event.step);
        return;
      }
      case 'call':
        return call(event);
      case 'diagnostic': {
        const { code, severity } = event.problem;
        (run ?? command)?.addEvent(
          'problem',
          { 'rampart.problem.code': code, 'rampart.problem.severity': severity },
          clock.now(),
        );
        return;
      }
      case 'retry':
        (run ?? command)?.addEvent(
          'retry',
          { 'rampart.action': event.action, 'error.type': event.code },
          clock.now(),
        );
        return;
      case 'waiting':
        (run ?? command)?.addEvent(
          'waiting',
          { 'rampart.action': event.action, 'rampart.wait_ms': event.ms },
          clock.now(),
        );
        return;
      case 'interrupted':
        (run ?? command)?.addEvent('interrupted', {}, clock.now());
        return;
      case 'crash':
        command?.setStatus({ code: SpanStatusCode.ERROR, message: 'a defect' });
        return;
      case 'job_start':
        jobs.set(event.job, startJob(event));
        return;
      case 'job_event':
        return jobs.get(event.job)?.hear(event.event);
      case 'job_end':
        jobs.get(event.job)?.end(event.isFailed);
        jobs.delete(event.job);
        return;
      case 'metrics':
        return;
    }
  };
}

function callAttributes({ action, method, path, status, attempt, waitedMs }: CallEvent): Attributes {
  return {
    'http.request.method': method,
    'url.template': path,
    'rampart.action': action,
    'rampart.call.attempt': attempt,
    'rampart.call.waited_ms': Math.round(waitedMs),
    ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
    ...(status === null ? { 'error.type': 'no-reply' } : { 'http.response.status_code': status }),
    ...(status !== null && status >= 400 ? { 'error.type': String(status) } : {}),
  };
}

function stepAttributes({ kind, hosts, target }: StepStart, namesHosts: boolean): Attributes {
  const plain = { 'rampart.step.kind': kind, 'rampart.step.hosts': hosts };
  if (!namesHosts) return plain;
  const { host_ids: ids, from, to } = target;
  return {
    ...plain,
    ...(Array.isArray(ids) ? { 'rampart.host.ids': ids.slice(0, mostHosts).map(String) } : {}),
    ...(typeof from === 'string' ? { 'rampart.step.from': from } : {}),
    ...(typeof to === 'string' ? { 'rampart.step.to': to } : {}),
  };
}
