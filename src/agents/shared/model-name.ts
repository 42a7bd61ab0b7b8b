/** Normalises a model name: some services write version numbers with dots, others with dashes. */
export function spelled(name: string): string {
  return name.toLowerCase().replaceAll(/(?<=\d)\.(?=\d)/g, "-");
}
