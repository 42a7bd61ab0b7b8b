/** The agent's to-do list, kept by one tool that writes the whole list or by several that change one entry each. */
import type { AgentEvent, PlanEntry } from "../../events/types.ts";
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export class Plan {
  #entries = new Map<string, PlanEntry>();

  /** After a call that succeeded. A subagent keeps a list of its own, which is not the session's plan. */
  after(nativeName: string, input: unknown, result: unknown): AgentEvent | undefined {
    const given = record(input);
    const found = record(result);
    switch (nativeName) {
      case "TodoWrite":
        this.#entries = entriesOf(list(found["newTodos"] ?? given["todos"]), "content");
        break;
      case "TaskCreate":
        if (!this.#create(given, record(found["task"]))) return undefined;
        break;
      case "TaskUpdate":
        if (!this.#update(given)) return undefined;
        break;
      case "TaskList":
        if (!Array.isArray(found["tasks"])) return undefined;
        this.#entries = entriesOf(found["tasks"], "subject");
        break;
      default:
        return undefined;
    }
    return { type: "plan.updated", entries: [...this.#entries.values()] };
  }

  #create(given: Wire, task: Wire): boolean {
    const id = text(task["id"]);
    const subject = text(task["subject"]) ?? text(given["subject"]);
    if (id === undefined || subject === undefined) return false;
    this.#entries.set(id, { text: subject, status: "pending" });
    return true;
  }

  #update(given: Wire): boolean {
    const id = text(given["taskId"]) ?? "";
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    if (given["status"] === "deleted") this.#entries.delete(id);
    else
      this.#entries.set(id, {
        text: text(given["subject"]) ?? entry.text,
        status: statusOf(given["status"]) ?? entry.status,
      });
    return true;
  }
}

function entriesOf(items: readonly unknown[], named: "content" | "subject"): Map<string, PlanEntry> {
  const entries = items
    .filter(isRecord)
    .map((item, index): [string, PlanEntry] => [
      text(item["id"]) ?? String(index),
      { text: text(item[named]) ?? "", status: statusOf(item["status"]) ?? "pending" },
    ]);
  return new Map(entries.filter(([, entry]) => entry.text !== ""));
}

function statusOf(status: unknown): PlanEntry["status"] | undefined {
  return status === "pending" || status === "in_progress" || status === "completed" ? status : undefined;
}
