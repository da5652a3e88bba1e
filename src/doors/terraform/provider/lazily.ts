/** What most commands do not need, loaded when it is: once, as an `import()` looks for its module each time. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => (loading ??= load());
}
