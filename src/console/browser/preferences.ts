import { effect, signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** What this browser remembers of its reader. */
export const theme = signal<Theme>(remembered('theme', themes, 'system'));
export const density = signal<Density>(remembered('density', densities, 'comfortable'));

effect(() => remember('theme', theme.value));
effect(() => remember('density', density.value));

function remembered<Value extends string>(name: string, values: readonly Value[], usual: Value): Value {
  try {
    const found = localStorage.getItem(`rampart.${name}`);
    return values.find((value) => value === found) ?? usual;
  } catch {
    // A browser may refuse storage.
    return usual;
  }
}

function remember(name: string, value: string): void {
  document.documentElement.dataset[name] = value;
  try {
    localStorage.setItem(`rampart.${name}`, value);
  } catch {
    // The choice lasts until the page closes.
  }
}
