interface Node {
  readonly next: Map<number, Node>;
  readonly values: number[];
}

/** Numbers by prefix: one walk finds the numbers of all prefixes of a text. */
export class PrefixTree {
  readonly #root: Node = { next: new Map(), values: [] };

  add(prefix: string, value: number): void {
    let node = this.#root;
    for (let at = 0; at < prefix.length; at += 1) {
      const unit = prefix.charCodeAt(at);
      const next = node.next.get(unit) ?? { next: new Map(), values: [] };
      node.next.set(unit, next);
      node = next;
    }
    node.values.push(value);
  }

  collect(text: string, into: number[]): void {
    let node: Node | undefined = this.#root;
    for (let at = 0; node !== undefined; at += 1) {
      for (const value of node.values) into.push(value);
      if (at >= text.length) return;
      node = node.next.get(text.charCodeAt(at));
    }
  }
}
