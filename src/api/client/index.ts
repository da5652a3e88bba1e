/**
 * A client of Rampart Server: one method for each operation of its API, and its events.
 *
 * @packageDocumentation
 */

export { createClient, type RampartClient } from './generated/rampart-client.ts';
export type * from './generated/shapes.ts';
export type { EventOptions } from './read-events.ts';
export type { ServerAnswer, ServerCallOptions, ServerClientOptions } from './send.ts';
