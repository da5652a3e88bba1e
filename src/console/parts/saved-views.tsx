import { useState } from 'preact/hooks';
import { Field } from '../../output/components/field.tsx';
import { Name } from '../../output/components/text.tsx';
import { useAddress } from '../browser/address.ts';
import { announce } from '../browser/announce.ts';
import { removeView, savedViews, saveView } from '../browser/saved-views.ts';
import { me } from '../data/api.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';

/** The views of a list that the reader saved. A view is an address, so opening one is following a link. */
export function SavedViews({ page }: { readonly page: string }) {
  const { path, params } = useAddress();
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const person = me.value?.subject.id ?? '';
  const query = params.toString();
  const views = savedViews(page, person);
  const current = views.find((each) => each.query === query);
  if (views.length === 0 && query === '') return null;
  const save = () => {
    saveView(page, person, { name: name.trim(), query });
    announce(`The view ${name.trim()} is saved.`);
    setName('');
    setNaming(false);
  };
  return (
    <div class="saved-views">
      {views.length === 0 ? null : (
        <ul class="chips" aria-label="Saved views">
          {views.map((each) => (
            <li key={each.name}>
              <a
                class="chip"
                href={each.query === '' ? path : `${path}?${each.query}`}
                aria-current={each === current ? 'true' : undefined}
              >
                <Name name={each.name} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {current !== undefined ? (
        <Button
          kind="quiet"
          onClick={() => {
            removeView(page, person, current.name);
            announce(`The view ${current.name} is removed.`);
          }}
        >
          Remove this view
        </Button>
      ) : query === '' ? null : (
        <Button kind="quiet" onClick={() => setNaming(true)}>
          Save this view…
        </Button>
      )}
      {isNaming ? (
        <Confirm
          title="Save this view"
          verb="Save"
          reason={name.trim() === '' ? 'Give it a name first.' : null}
          onClose={() => setNaming(false)}
          onConfirm={save}
        >
          <Field
            label="Name"
            value={name}
            onInput={setName}
            maxLength={60}
            isRequired
            hint="This browser keeps it for you. To share a view, send its address."
          />
        </Confirm>
      ) : null}
    </div>
  );
}
