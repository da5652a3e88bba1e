import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import type { NotificationRecord } from '../../../src/server/notifications/records/notifications.ts';
import type { DeliverParts } from '../../../src/server/notifications/rules/deliver.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import type { Machine } from '../time/machine.ts';

/** It can't be reached, refuses messages, or takes them and its reply is lost. */
export type ReceiverFault = 'away' | 'refuses' | 'loses-replies';

/** A message that the receiver took. */
export interface ReceivedMessage {
  /** The notices that the sender had claimed. */
  readonly claimed: readonly NotificationRecord[];
  readonly body: MessageBody;
  readonly machine: Machine;
  /** The sender hears of it, unless something happens to its machine. */
  readonly isAcknowledged: boolean;
}

export interface MessageBody {
  readonly notices: readonly {
    readonly kind: string;
    readonly heading: string;
    readonly lines: readonly string[];
  }[];
  readonly left_out: number;
}

/** Whoever gets the messages of the cluster, by a webhook. */
export interface Receiver {
  fail(how: ReceiverFault | undefined): void;
  /** What one job needs to send messages from a machine. */
  reachedFrom(
    machine: Machine,
    notifications: Store['notifications'],
  ): {
    readonly http: DeliverParts['http'];
    readonly store: DeliverParts['store'];
  };
}

export interface ReceiverParts {
  readonly world: Clock;
  readonly onMessage: (message: ReceivedMessage) => void;
}

export const receiverAddress = 'https://people.example/hook';
const answerMs = 50;

export function createReceiver({ world, onMessage }: ReceiverParts): Receiver {
  let fault: ReceiverFault | undefined;
  const lost = () => failed(problem('network', 'the receiver can not be reached'));
  return {
    fail: (how) => (fault = how),
    reachedFrom(machine, notifications) {
      let claimed: readonly NotificationRecord[] = [];
      const send = (text: string) =>
        machine.reach(async () => {
          await world.sleep(answerMs);
          if (fault === 'away') return lost();
          if (fault === 'refuses') return ok({ status: 503, headers: new Headers(), body: new Uint8Array() });
          const isAcknowledged = fault === undefined;
          onMessage({ claimed, body: JSON.parse(text) as MessageBody, machine, isAcknowledged });
          return isAcknowledged
            ? ok({ status: 204, headers: new Headers(), body: new Uint8Array() })
            : lost();
        });
      return {
        http: { send: (_, { body } = {}) => send(String(body)) } as DeliverParts['http'],
        store: {
          notifications: {
            ...notifications,
            claim: async (...given) => (claimed = await notifications.claim(...given)),
          },
        },
      };
    },
  };
}
