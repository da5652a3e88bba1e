/** The path to a value: names of attributes and blocks, keys of maps, indices of lists: `['hosts', 0, 'name']`. */
export type Path = readonly (string | number)[];

/** In the syntax of configuration: `hosts[0].name`, `labels["a b"]`. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
