import type { Clock } from '../../core/lib/surroundings.ts';
import type { ResponseMessage } from '../contract/message.ts';
import { type FaultEffect, findEffect } from './fault.ts';

/** A response and the way its body is sent: all at once if there are no pieces. */
export interface PacedResponse {
  readonly message: ResponseMessage;
  readonly pieces?: Pieces;
}

export interface Pieces {
  /** The body never ends, so it has no length. */
  readonly isEndless: boolean;
  /** Sends piece by piece until the client stops listening. */
  send(isOver: () => boolean): AsyncIterable<Uint8Array>;
}

export function paced(
  message: ResponseMessage,
  effects: readonly FaultEffect[],
  clock: Clock,
): PacedResponse {
  const drip = findEffect(effects, 'drip');
  if (drip === undefined) return { message };
  const { bytes, everyMs } = drip;
  const isEndless = drip.endless === true;

  async function* send(isOver: () => boolean): AsyncIterable<Uint8Array> {
    for (let at = 0; at < message.body.length || isEndless; at += bytes) {
      await clock.sleep(everyMs);
      if (isOver()) return;
      // Trailing blanks keep the JSON valid, so a reader that waits for the end has no other reason to give up.
      yield at < message.body.length ? message.body.subarray(at, at + bytes) : blanks(bytes);
    }
  }
  return { message, pieces: { isEndless, send } };
}

function blanks(bytes: number): Uint8Array {
  return new Uint8Array(bytes).fill(0x20);
}

/** The response after its last byte has arrived. */
export async function received(
  { message, pieces }: PacedResponse,
  isOver: () => boolean,
): Promise<ResponseMessage> {
  if (pieces === undefined) return message;
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces.send(isOver)) chunks.push(piece);
  return { ...message, body: new Uint8Array(Buffer.concat(chunks)) };
}
