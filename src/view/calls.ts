import type { EventOf } from "../events/types.ts";
import { fileChange, toolItem } from "./items.ts";
import type { ToolItem } from "./model.ts";

/** How much of a running tool's output is kept to look at. */
const progressLength = 16 * 1024;

/** Tool calls, from their start to their end. */
export class Calls {
  readonly #items = new Map<string, ToolItem>();

  get(callId: string | undefined): ToolItem | undefined {
    return callId === undefined ? undefined : this.#items.get(callId);
  }

  started(event: EventOf<"tool.started">): ToolItem {
    const item = toolItem(event);
    this.#items.set(event.callId, item);
    return item;
  }

  progress(event: EventOf<"tool.progress">): void {
    const item = this.#items.get(event.callId);
    if (item === undefined) return;
    item.title = event.title ?? item.title;
    item.input = event.input ?? item.input;
    item.locations = event.locations ?? item.locations;
    item.progress += event.output ?? "";
    // Cut only when it has doubled, so that much output in small pieces is not copied again and again.
    if (item.progress.length > 2 * progressLength) item.progress = item.progress.slice(-progressLength);
  }

  completed(event: EventOf<"tool.completed">): void {
    const item = this.#items.get(event.callId);
    if (item === undefined) return;
    const { output, durationMs, exitCode } = event;
    Object.assign(item, {
      status: "completed",
      progress: "",
      output,
      durationMs,
      exitCode,
    } satisfies Partial<ToolItem>);
  }

  failed(event: EventOf<"tool.failed">): void {
    const item = this.#items.get(event.callId);
    if (item === undefined) return;
    const { error, reason } = event;
    const ended = {
      status: "failed",
      progress: "",
      error,
      reason,
      exitCode: error.exitCode,
    } satisfies Partial<ToolItem>;
    Object.assign(item, ended);
  }

  /** Whether the change is of a call that is known. */
  changed(event: EventOf<"file.changed">): boolean {
    const item = this.get(event.callId);
    item?.files.push(fileChange(event));
    return item !== undefined;
  }
}
