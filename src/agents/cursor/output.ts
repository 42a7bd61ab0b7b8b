/** What its commands print, read as it is: colours, notes between the lines and broken JSON are ordinary. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Its lines without colours and spaces around them; those with nothing in them are left out. */
export function linesOf(output: string): string[] {
  const plain = output.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
  return plain.split(/\r\n|[\r\n]/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}
