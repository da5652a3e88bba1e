/** Makes one value for each key, on first use. */
export function memo<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known as V;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
