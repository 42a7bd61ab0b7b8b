import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fieldsOf, parsed, type Fields } from "../agent-loop/index.ts";

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Empty when the file is missing or not JSON. */
export const readJson = (path: string): Fields => fieldsOf(parsed(readText(path) ?? ""));

/** Writes atomically: a program that is killed while it writes keeps the old file. */
export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, text);
  renameSync(beside, path);
}

export const writeJson = (path: string, value: unknown): void => writeText(path, `${JSON.stringify(value, null, 2)}\n`);
