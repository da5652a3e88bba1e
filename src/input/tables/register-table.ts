import type { RegisterContent, RegisterRequest } from '../../core/model/register-request.ts';
import { failed, noLine, ok, problem, type Result } from '../../core/problem/problem.ts';
import { objectRows } from './json-rows.ts';
import type { TableContent } from './table-source.ts';

/** Reads all rows of a register over the network. */
export type FetchRegister = (request: RegisterRequest) => Promise<Result<RegisterContent>>;

/** The registers that were read before the desired state. */
export type Registers = (request: RegisterRequest) => Result<RegisterContent>;

export const noRegisters: Registers = ({ source }) =>
  failed(
    problem('usage', `the source "${source}" can't be read here: only commands read registers over HTTP`, {
      hint: 'export the register to a file, and name it with "file"',
    }),
  );

/** A check without a network reads no register, so it checks only how their tables are declared. */
export const unreadRegisters: Registers = ({ source }) =>
  ok({ rows: [], origin: source, hash: '', changedAt: '' });

/** Two tables with the same request share its rows. */
export function requestKey(request: RegisterRequest): string {
  return JSON.stringify(request);
}

/** One read of a register serves all its readers, so that their plans agree about it. */
export function fetchedOnce(fetch: FetchRegister): FetchRegister {
  const reads = new Map<string, ReturnType<FetchRegister>>();
  return (request) => {
    const key = requestKey(request);
    const read = reads.get(key) ?? fetch(request);
    reads.set(key, read);
    return read;
  };
}

export async function fetchRegisters(
  requests: readonly RegisterRequest[],
  fetch: FetchRegister | undefined,
): Promise<Registers> {
  if (fetch === undefined) return noRegisters;
  const found = new Map<string, Result<RegisterContent>>();
  for (const request of requests) {
    const key = requestKey(request);
    if (!found.has(key)) found.set(key, await fetch(request));
  }
  return (request) => found.get(requestKey(request)) ?? noRegisters(request);
}

/** The rows of a register. They have no lines. */
export function registerTable(content: Result<RegisterContent>): Result<TableContent> {
  if (!content.ok) return content;
  const { rows: list, ...facts } = content.value;
  const rows = objectRows(list, () => ({ file: facts.origin, line: noLine, col: noLine }));
  return rows.ok ? ok({ ...facts, rows: rows.value }) : rows;
}
