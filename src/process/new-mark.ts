import { randomBytes } from "node:crypto";

/** Beside `mark.ts`, because who only looks at marks need not wait for `node:crypto`. */
export function newMark(): string {
  return randomBytes(10).toString("hex");
}
