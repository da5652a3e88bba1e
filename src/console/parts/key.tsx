/** The key to press, such as `g` or `Esc`. */
export function KeyCap({ children }: { readonly children: string }) {
  return <kbd>{children}</kbd>;
}
