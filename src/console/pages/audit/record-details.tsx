import type { AuditRow } from '../../../api/settings.ts';
import { consoleAddress } from '../../browser/address.ts';

/** How the act of a record ended and why it was done. Unfolded, it shows all that was recorded. */
export function RecordDetails({ row }: { readonly row: AuditRow }) {
  return (
    <details class="record">
      <summary>{row.text === '' ? <span class="dim">all facts</span> : row.text}</summary>
      <dl>
        {Object.entries({ ...row.what, 'SHA-256': row.hash }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name === 'plan' && typeof value === 'string' ? (
                <a href={consoleAddress.change(value)}>{value}</a>
              ) : (
                <code class="id">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
