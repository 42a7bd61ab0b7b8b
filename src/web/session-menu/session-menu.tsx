/** What can be done with a whole session: rename, fork, hand off, export, delete. */
export function SessionMenu({ id: _id }: { readonly id: string }) {
  return null;
}
