import { oneLine } from "../events/printable.ts";
import type { InputItem, Item, TextItem } from "./model.ts";
import * as words from "./words.ts";

/** What is not a text, on one line and with its mark. */
export function itemLine(item: Exclude<Item, TextItem | InputItem>): string {
  switch (item.kind) {
    case "tool":
      if (item.status === "failed") return `✗ ${oneLine(item.title)} · ${words.failureWords(item)}`;
      if (item.output === undefined) return `● ${oneLine(item.title)}`;
      return `${words.outputMark(item.exitCode)} ${oneLine(item.title)} · ${words.outputWords(item.output, item.exitCode)}`;
    case "file":
      return `± ${words.changeWords(item)}`;
    case "plan":
      return `· ${words.planWords(item)}`;
    case "permission": {
      const asked = `? Allow: ${oneLine(item.title)}`;
      return item.resolution === undefined ? asked : `${asked} · ${words.permissionWords(item.resolution)}`;
    }
    case "question": {
      const asked = `? ${item.questions.map(({ text }) => oneLine(text)).join(" · ")}`;
      return item.resolution === undefined ? asked : `${asked} · ${words.questionWords(item.resolution)}`;
    }
    case "task":
      return `◌ ${words.taskWords(item.task)}`;
    case "notice":
      return `${item.level === "info" ? "·" : "!"} ${words.noticeWords(item)}`;
    case "retry":
      return `↻ ${words.retryWords(item)}`;
    case "limit":
      return `! ${words.limitWords(item)}`;
    case "compacted":
      return `· ${words.compactedWords(item)}`;
    case "switched":
      return `⇄ ${words.switchedWords(item)}`;
    case "changed":
      return `· ${words.changedWords(item)}`;
    case "exit":
      return `· ${words.exitWords(item)}`;
  }
}
