import { Section } from '../../components/section.tsx';
import { Name, Text } from '../../components/text.tsx';
import type { PlanPage } from '../plan-page-data.ts';

/** The times at which the plan may be applied, if a policy restricts them. */
export function TimesSection({ times }: Pick<PlanPage, 'times'>) {
  if (times === undefined || times.windows.length + times.freezes.length === 0) return null;
  return (
    <Section
      id="times"
      title="When the plan can be applied"
      lead="Every apply checks these times when it starts."
    >
      <ul class="changes">
        {times.windows.map(({ name, kinds, only, message }) => (
          <li key={name}>
            <Name name={name} />: {kinds.join(', ')} only in <Text text={only.join('; ')} />
            <Message message={message} />
          </li>
        ))}
        {times.freezes.map(({ name, from, until, message }) => (
          <li key={name}>
            <Name name={name} />: no changes
            {from === undefined ? '' : ` from ${from}`}
            {until === undefined ? '' : ` until ${until}`}
            <Message message={message} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Message({ message }: { readonly message: string | undefined }) {
  return message === undefined ? null : (
    <span class="dim">
      {' '}
      (<Text text={message} />)
    </span>
  );
}
