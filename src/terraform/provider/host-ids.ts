import { type Diagnostic, errorDiagnostic } from '../protocol/provider/call.ts';
import { isPresent } from '../protocol/value/value.ts';
import { isHostId } from './host/schema.ts';

/** Faults in a list or set of host ids, as far as they are known. */
export function hostIdFaults(ids: unknown, attribute = 'host_ids'): readonly Diagnostic[] {
  if (!Array.isArray(ids)) return [];
  const faulty = ids.filter((id) => isPresent(id) && isHostId.check(id) !== null);
  return faulty.length === 0
    ? []
    : [
        errorDiagnostic(
          `${faulty.length} of ${attribute} are not host ids, such as ${JSON.stringify(faulty[0])}`,
          {
            detail: `Each must be ${isHostId.description}.`,
            path: [attribute],
          },
        ),
      ];
}
