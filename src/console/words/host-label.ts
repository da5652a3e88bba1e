/** A host in the label of a control: by its name, or by its id if that would be empty. */
export function hostLabel({ name, host_id: id }: { readonly name: string | null; readonly host_id: string }) {
  return name === null || name === '' ? `host ${id}` : name;
}
