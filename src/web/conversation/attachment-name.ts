/** A name for people. Older logs have what an upload was called on the server's disk, which says nothing to anybody. Pure. */
export function attachmentName(name: string): string {
  return name.replace(/^upl_[0-9a-f]{24}(?=\.\w+$|$)/, "attachment");
}
