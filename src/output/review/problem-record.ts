import type { Problem } from '../../core/problem/problem.ts';

/** A problem in JSON documents and events: flat, in snake_case, without absent members. */
export function toProblemRecord({ code, severity, message, place, hint, hostIds, policy }: Problem) {
  return {
    code,
    severity,
    message,
    ...(place === undefined
      ? {}
      : { file: place.file, line: place.line, ...(place.wholeLine ? {} : { col: place.col }) }),
    ...(place?.part === undefined ? {} : { part: place.part }),
    ...(hint === undefined ? {} : { hint }),
    ...(hostIds === undefined ? {} : { host_ids: hostIds }),
    ...(policy === undefined ? {} : { policy }),
  };
}
