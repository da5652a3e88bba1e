import { type KyselyPlugin, OperationNodeTransformer, type ValueNode } from 'kysely';

/** Texts of people and services may hold a NUL, which PostgreSQL refuses in every statement. It becomes U+FFFD. */
export const storableText: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};

const transformer = new (class extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: storable(node.value) };
  }
})();

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(storable) : value;
}
