/** What came out of a call. Its content is made for an editor to show; the raw output, where there is one, is the plainer. */
import type { Content } from "../../events/types.ts";
import { contentOf } from "./content.ts";
import { firstText, isRecord, number, record, records } from "./read.ts";
import type { Wire } from "./read.ts";

export interface Outcome {
  readonly text: string;
  readonly content: Content[];
  readonly exitCode: number | undefined;
}

export function outcomeOf(items: readonly Wire[], rawOutput: unknown): Outcome {
  const blocks = items.filter((item) => item["type"] === "content").map((item) => record(item["content"]));
  return {
    text: rawText(rawOutput) ?? textIn(items),
    content: blocks.filter((block) => block["type"] !== "text").flatMap((block) => contentOf(block) ?? []),
    exitCode: exitCodeIn(record(rawOutput)),
  };
}

/** The text among a call's content. */
export function textIn(items: readonly Wire[]): string {
  const texts = items.map((item) => (item["type"] === "content" ? record(item["content"])["text"] : undefined));
  return texts.filter((said) => typeof said === "string").join("\n");
}

/** Why it failed, in its own words. */
export function failureIn(items: readonly Wire[], rawOutput: unknown): string {
  const { error, message } = record(rawOutput);
  return (
    firstText(rawOutput, error, record(error)["message"], message, textIn(items), rawText(rawOutput)) ??
    "The tool failed and did not say why."
  );
}

function rawText(rawOutput: unknown): string | undefined {
  if (!isRecord(rawOutput)) return firstText(rawOutput);
  const { output, text, stdout, stderr, content, result } = rawOutput;
  const streams = [stdout, stderr].filter((said) => typeof said === "string");
  const printed = streams.length === 0 ? undefined : streams.filter((said) => said !== "").join("\n");
  const texts = [output, text, printed, content, result].filter((said) => typeof said === "string");
  // Nothing put out is an output too.
  return firstText(...texts) ?? texts[0];
}

function exitCodeIn(rawOutput: Wire): number | undefined {
  const { exitCode, exit_code, metadata, contents } = rawOutput;
  const nested = [record(metadata), ...records(contents)];
  const codes = [exitCode, exit_code, ...nested.flatMap((one) => [one["exitCode"], one["exit"]])];
  return codes.map(number).find((code) => code !== undefined);
}
