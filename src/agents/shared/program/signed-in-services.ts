/** The services that a program's own file of sign-ins names: `{ "<service>": { "type": "<how>", ... } }`. What else stands there is not looked at. */
import { readFile } from "node:fs/promises";
import { isRecord, record, text } from "../../../protocols/json.ts";

/** `anthropic (oauth)`. None where there is no file; undefined where it cannot be read. */
export async function servicesInFile(file: string): Promise<readonly string[] | undefined> {
  try {
    return servicesIn(await readFile(file, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

/** Undefined where it is no JSON object. */
export function servicesIn(json: string): readonly string[] | undefined {
  try {
    const kept: unknown = JSON.parse(json);
    if (!isRecord(kept)) return undefined;
    return Object.entries(kept).flatMap(([service, how]) => {
      const type = text(record(how)["type"]);
      return type === undefined ? [] : [`${service} (${type})`];
    });
  } catch {
    // What the parser says would show a piece of the file.
    return undefined;
  }
}
