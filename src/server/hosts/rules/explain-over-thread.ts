import { Worker } from 'node:worker_threads';
import { failed, problem, type Result } from '../../../core/problem/problem.ts';
import type { AccountRecord } from '../../accounts/records/account-record.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import type { HostWithFacts } from '../records/hosts.ts';
import type { ExplainReply, ExplainRequest } from './explain-message.ts';
import type { HostClaims } from './explain-stored-host.ts';

export type ExplainHost = (host: HostWithFacts, account: AccountRecord) => Promise<Result<HostClaims>>;

type Parts = Pick<JobParts, 'settings' | 'store' | 'clock'> & {
  readonly desired: Pick<JobParts['desired'], 'locate' | 'register'>;
};

/** How long a person waits for files that have to be read first, in milliseconds. */
const longestMs = 5_000;
/** The thread ends after this time without a request, and releases its memory, in milliseconds. */
const idleMs = 60_000;

/** In a checkout the thread is a TypeScript file; when built, a part of the command line. */
const isCheckout = import.meta.url.endsWith('.ts');
const threadFile = new URL(isCheckout ? './explain-thread.ts' : './explain-thread.cjs', import.meta.url);

/**
 * Explains hosts in its own thread, because the desired state of a large account takes seconds to read, and requests
 * of other people must not wait for it. The thread starts with the first question.
 */
export function createThreadedExplainer(parts: Parts, file: URL = threadFile): ExplainHost {
  let thread: ExplainThread | undefined;
  return async (host, account) => {
    const config = accountNamed(parts.settings, account.name);
    if (config === undefined) return failed(problem('configuration', 'the account is no longer configured'));
    const files = await parts.desired.locate(config);
    if (!files.ok) return files;
    if (files.value.commit !== account.commit) return failed(newer);
    if (thread === undefined || thread.hasEnded()) thread = startThread(new Worker(file), parts);
    const { name, labels, configuredLabels } = config;
    const answer = thread.ask({
      host,
      account,
      facts: { name, labels, configuredLabels },
      files: files.value,
      now: new Date(parts.clock.now()).toISOString(),
    });
    return (await within(answer, parts.clock)) ?? failed(late);
  };
}

const newer = problem('configuration', 'the desired state has changed since the last check', {
  hint: 'open the host again after the next check',
});
const late = problem('configuration', 'reading the desired state takes longer than 5 seconds', {
  hint: 'open the host again in a minute',
});
const ended = problem('unforeseen', 'the thread that reads the desired state has ended', {
  hint: 'open the host again; if this happens each time, the desired state needs more memory than this process has',
});

interface ExplainThread {
  ask(
    question: Omit<Extract<ExplainRequest, { kind: 'explain' }>, 'kind' | 'id'>,
  ): Promise<Result<HostClaims>>;
  hasEnded(): boolean;
}

function startThread(worker: Worker, { store: { hosts }, desired }: Parts): ExplainThread {
  const waiting = new Map<
    number,
    {
      readonly account: string;
      readonly source: string;
      readonly resolve: (claims: Result<HostClaims>) => void;
    }
  >();
  let questions = 0;
  let isOver = false;
  let idle: NodeJS.Timeout | undefined;
  const send = (request: ExplainRequest) => worker.postMessage(request);
  const end = () => {
    isOver = true;
    clearTimeout(idle);
    for (const { resolve } of waiting.values()) resolve(failed(ended));
    waiting.clear();
  };
  worker.unref();
  worker.on('error', end);
  worker.on('exit', end);
  worker.on('message', (reply: ExplainReply) => {
    const { id } = reply;
    const asker = waiting.get(id);
    if (reply.kind === 'ask-named') {
      hosts.named(asker?.account ?? '', reply.names).then(
        (found) => send({ kind: 'named', id, hosts: found }),
        () => send({ kind: 'named', id, hosts: null }),
      );
      return;
    }
    if (reply.kind === 'ask-register') {
      void desired
        .register(asker?.source ?? '', reply.request)
        .content.then((content) => send({ kind: 'register', id, content }));
      return;
    }
    waiting.delete(id);
    asker?.resolve(reply.claims);
    if (waiting.size > 0) return;
    idle = setTimeout(() => {
      isOver = true;
      void worker.terminate();
    }, idleMs);
    idle.unref();
  });
  return {
    hasEnded: () => isOver,
    ask(question) {
      clearTimeout(idle);
      questions += 1;
      const id = questions;
      return new Promise((resolve) => {
        waiting.set(id, { account: question.account.name, source: question.files.source, resolve });
        send({ kind: 'explain', id, ...question });
      });
    },
  };
}

/** Undefined if it takes too long; the read continues for the next caller. */
async function within<T>(work: Promise<T>, clock: JobParts['clock']): Promise<T | undefined> {
  const end = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(longestMs, end.signal).then(() => undefined)]);
  } finally {
    end.abort();
  }
}
