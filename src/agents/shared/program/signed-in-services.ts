/** Reads the services in a program's own sign-in file: `{ "<service>": { "type": "<how>", ... } }`. */
import { readFile } from "node:fs/promises";
import { isRecord, parseJson, record, text } from "../../../protocols/json.ts";

/** For example `anthropic (oauth)`. Empty when there is no file; undefined when the file cannot be read. */
export async function servicesInFile(file: string): Promise<readonly string[] | undefined> {
  try {
    return servicesIn(await readFile(file, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

/** Undefined when the text is not a JSON object. */
export function servicesIn(json: string): readonly string[] | undefined {
  const kept = parseJson(json);
  if (!isRecord(kept)) return undefined;
  return Object.entries(kept).flatMap(([service, how]) => {
    const type = text(record(how)["type"]);
    return type === undefined ? [] : [`${service} (${type})`];
  });
}
