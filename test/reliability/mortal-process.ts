import type { Exchange } from '../../src/service/contract/message.ts';

/**
 * When a process dies, relative to one of its calls: before the call is sent, once it is carried out and before the
 * response arrives, or after the response, which is recorded before anything else is sent or received.
 */
export const deathMoments = ['before the call', 'reply lost', 'after the reply'] as const;
export type DeathMoment = (typeof deathMoments)[number];

export interface Death {
  /** Counts the process's calls from 0, in the order in which they are sent. */
  readonly call: number;
  readonly moment: DeathMoment;
}

export interface MortalProcess {
  readonly exchange: Exchange;
  isAlive(): boolean;
  readonly died: Promise<'dead'>;
}

/** A process that may die at one of its calls. From then on it sends nothing, hears nothing and writes nothing. */
export function mortalProcess(exchange: Exchange, death: Death | undefined): MortalProcess {
  const { promise: died, resolve } = Promise.withResolvers<'dead'>();
  let alive = true;
  let dying = false;
  let sent = 0;
  const end = (): Promise<never> => {
    alive = false;
    resolve('dead');
    return new Promise(() => {});
  };
  return {
    isAlive: () => alive,
    died,
    async exchange(request, options) {
      if (!alive || dying) return end();
      const call = sent;
      sent += 1;
      const moment = call === death?.call ? death.moment : undefined;
      if (moment === 'before the call') return end();
      const reply = await exchange(request, options).then(
        (response) => ({ response }) as const,
        (error: unknown) => ({ error }) as const,
      );
      if (!alive || dying) return end();
      if (moment === 'reply lost') return end();
      if (moment === 'after the reply') dying = true;
      if ('error' in reply) throw reply.error;
      return reply.response;
    },
  };
}
