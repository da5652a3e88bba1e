import { endOfString } from '../../core/lib/end-of-string.ts';

/** The offsets of the items of the list at a path in valid JSON, so that messages can name their lines. */
export function itemOffsets(text: string, path: readonly string[]): readonly number[] {
  const offsets: number[] = [];
  const open: { readonly isList: boolean; key: string }[] = [];
  const token = /["{}[\],:]/g;
  let lastString = '';
  const isList = () => open.at(-1)?.isList === true && isAtPath();
  const isAtPath = () =>
    open.length === path.length + 1 &&
    path.every((key, depth) => open[depth]?.isList === false && open[depth].key === key);
  const addItem = (from: number) => {
    const start = from + (/\S/.exec(text.slice(from, from + 10_000))?.index ?? 0);
    if (text[start] !== ']') offsets.push(start);
  };
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const { index } = found;
    switch (found[0]) {
      case '"': {
        const end = endOfString(text, index);
        lastString = text.slice(index, end);
        token.lastIndex = end;
        break;
      }
      case ':': {
        const object = open.at(-1);
        if (object !== undefined) object.key = JSON.parse(lastString) as string;
        break;
      }
      case '{':
        open.push({ isList: false, key: '' });
        break;
      case '[':
        open.push({ isList: true, key: '' });
        if (isList()) addItem(index + 1);
        break;
      case ',':
        if (isList()) addItem(index + 1);
        break;
      default:
        open.pop();
    }
  }
  return offsets;
}
