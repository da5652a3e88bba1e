import type { AuditRow } from '../../../api/settings.ts';

/** The sentence of a record. Unfolded, it shows all that was recorded. */
export function RecordDetails({ row }: { readonly row: AuditRow }) {
  return (
    <details class="record">
      <summary>{row.text}</summary>
      <dl>
        {Object.entries(row.what).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
            </dd>
          </div>
        ))}
        <div>
          <dt>SHA-256</dt>
          <dd>
            <code class="id">{row.hash}</code>
          </dd>
        </div>
      </dl>
    </details>
  );
}
