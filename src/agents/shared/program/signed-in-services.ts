/** Services in a program's own file of sign-ins: `{ "<service>": { "type": "<how>", ... } }`. */
import { readFile } from "node:fs/promises";
import { isRecord, parseJson, record, text } from "../../../protocols/json.ts";

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
  const kept = parseJson(json);
  if (!isRecord(kept)) return undefined;
  return Object.entries(kept).flatMap(([service, how]) => {
    const type = text(record(how)["type"]);
    return type === undefined ? [] : [`${service} (${type})`];
  });
}
