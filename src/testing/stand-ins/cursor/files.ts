import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fieldsOf, parsed, type Fields } from "../agent-loop/index.ts";

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Empty where it is not there, or no JSON. */
export const readJson = (path: string): Fields => fieldsOf(parsed(readText(path) ?? ""));

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const writeJson = (path: string, value: unknown): void => writeText(path, `${JSON.stringify(value, null, 2)}\n`);
