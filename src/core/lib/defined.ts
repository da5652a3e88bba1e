/** The object without the fields whose value is undefined. */
export function defined<V extends object>(
  values: V,
): { readonly [Key in keyof V]?: Exclude<V[Key], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { readonly [Key in keyof V]?: Exclude<V[Key], undefined> };
}
