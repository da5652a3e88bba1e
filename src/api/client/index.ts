/**
 * A client of Rampart Server: one method for each operation of its API, and its events.
 *
 * @packageDocumentation
 */

export { createClient, type RampartClient } from './rampart-client.ts';
export type { EventOptions } from './read-events.ts';
export type { CallOptions, ClientOptions, ServerAnswer } from './send.ts';
export type * from './shapes.ts';
