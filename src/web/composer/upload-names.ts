/** How files were called before they were sent: on the server they have names of its own. Known to the page that sent them. */
const names = new Map<string, string>();

export function rememberUpload(id: string, name: string): void {
  names.set(id, name);
}

/** A name for people; of a file that another page sent, what it is. */
export function uploadName(name: string): string {
  const found = /^(upl_[0-9a-f]+)(\.\w+)?$/.exec(name);
  if (found === null) return name;
  const [, id = "", ending = ""] = found;
  return names.get(id) ?? `attachment${ending}`;
}
