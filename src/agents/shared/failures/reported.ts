/** Extracts a sentence, a status and the service's own failure names from a service's answer as an agent passes it on. */
import { isRecord, parseJson, record, records, text } from "../../../protocols/json.ts";

const longest = 500;

export function unframed(said: string, frames: readonly RegExp[] = []): string {
  return frames
    .reduce((rest, frame) => rest.replace(frame, (_all, kept: unknown) => (typeof kept === "string" ? kept : "")), said)
    .trim();
}

/** The first line of the message, which may be inside JSON. */
export function sentenceIn(said: string, frames?: readonly RegExp[]): string {
  let rest = said;
  for (let depth = 0; depth < 3; depth++) {
    const inner = innerMessage(jsonIn(rest));
    if (inner === undefined || inner === rest) break;
    rest = unframed(inner, frames);
  }
  if (/^[{[]/.test(rest.trim()) && isRecord(jsonIn(rest))) return "";
  return rest.trim().split("\n", 1)[0]!.trim().slice(0, longest);
}

export function jsonIn(said: string): unknown {
  const [start, end] = [said.indexOf("{"), said.lastIndexOf("}")];
  if (start === -1 || end < start) return undefined;
  return parseJson(said.slice(start, end + 1));
}

function innerMessage(json: unknown): string | undefined {
  const { error, message, detail } = record(json);
  const inner = isRecord(error) ? error["message"] : error;
  return [inner, message, detail].map(text).find((said) => said !== undefined && said.trim() !== "");
}

/** The service's own names for the failure. */
export function namesIn(json: unknown): string[] {
  const outer = record(json);
  const inner = isRecord(outer["error"]) ? outer["error"] : outer;
  const details = records(inner["details"]);
  const violations = details.flatMap(({ violations: some }) => records(some));
  const named = [
    inner["type"],
    inner["code"],
    inner["status"],
    ...details.map(({ reason }) => reason),
    ...violations.map(({ quotaId }) => quotaId),
  ];
  return named.filter((name) => typeof name === "string");
}

const statusPlaces: readonly RegExp[] = [
  /^\s*\[?(?:[\w ]*Error:\s*)?([45]\d\d)\b/,
  /\b(?:HTTP(?:\/[\d.]+)?|status(?: code)?|error code|last error)[\s:=]*([45]\d\d)\b/i,
  /"(?:code|status|statusCode)"\s*:\s*"?([45]\d\d)\b/,
];

/** The HTTP status in a text. Ignores a bare number, which may mean anything. */
export function statusIn(said: string): number | undefined {
  for (const place of statusPlaces) {
    const status = place.exec(said)?.[1];
    if (status !== undefined) return Number(status);
  }
  return undefined;
}
