import { ok } from '../core/problem/problem.ts';
import type { ForgeResult, Labels, NewLabel } from './forge.ts';
import { type ForgeClient, isRefusedAs } from './forge-client.ts';
import { labelsShape } from './github-shapes.ts';

/** The labels of a pull request. GitHub adds only labels that the repository has. */
export function githubLabels(
  client: ForgeClient,
  { repository, pull }: { readonly repository: string; readonly pull: number },
): Labels {
  const labels = `${repository}/issues/${pull}/labels`;

  /** Two jobs may create the same label at once. */
  async function ensure(label: NewLabel): Promise<ForgeResult<null>> {
    const { name } = label;
    const path = `${repository}/labels`;
    const read = (failure: string) => client.write({ failure, path: `${path}/${encodeURIComponent(name)}` });
    const found = await read(`the label ${name} can't be read`);
    if (!isRefusedAs(found, 'not-found')) return found;
    const failure = `the label ${name} can't be created`;
    const made = await client.write({ failure, path, body: label, repeatable: true });
    return isRefusedAs(made, 'bad-request') ? read(failure) : made;
  }

  return {
    async list() {
      const listed = await client.list(
        { failure: "the labels of the pull request can't be read", path: labels },
        { what: 'labels', shape: labelsShape },
      );
      return listed.ok ? ok(listed.value.map(({ name }) => name)) : listed;
    },
    async change({ add, remove }) {
      if (add !== null) {
        const ensured = await ensure(add);
        if (!ensured.ok) return ensured;
        const added = await client.write({
          failure: `the label ${add.name} can't be added`,
          path: labels,
          body: { labels: [add.name] },
          repeatable: true,
        });
        if (!added.ok) return added;
      }
      for (const name of remove) {
        const failure = `the label ${name} can't be removed`;
        const path = `${labels}/${encodeURIComponent(name)}`;
        const removed = await client.write({ failure, method: 'DELETE', path });
        if (!removed.ok && !isRefusedAs(removed, 'not-found')) return removed;
      }
      return ok(null);
    },
  };
}
