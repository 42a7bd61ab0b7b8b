/** Version numbers are written with dots by some and with dashes by others. */
export function spelled(name: string): string {
  return name.toLowerCase().replaceAll(/(?<=\d)\.(?=\d)/g, "-");
}
