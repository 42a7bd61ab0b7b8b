/** What `agent about --format json` tells that a person may want to know. */
import { record, text } from "../../drivers/shared/read.ts";
import type { AboutFact } from "../contract.ts";
import { parsed } from "./output.ts";

const rows: readonly (readonly [key: string, label: string])[] = [
  ["model", "model"],
  ["subscriptionTier", "plan"],
  ["latestVersion", "newest version"],
];

export function aboutIn(stdout: string): AboutFact[] {
  const about = record(parsed(stdout));
  return rows.flatMap(([key, label]) => {
    const value = text(about[key])?.trim() ?? "";
    return value === "" ? [] : [{ label, value }];
  });
}
