/** The events of print mode, with the order and fields that were observed: a repeated text is recognised by the fields it lacks. */
import type { Usage } from "../../agent-loop/index.ts";
import { write } from "../output.ts";
import type { Traps } from "../traps.ts";

export class Stream {
  readonly #session: string;
  readonly #traps: Traps;
  #noisy: boolean;

  constructor(session: string, traps: Traps) {
    this.#session = session;
    this.#traps = traps;
    this.#noisy = traps.noise;
  }

  event(type: string, subtype: string | undefined, fields: object, timed = true): void {
    const kind = subtype === undefined ? { type } : { type, subtype };
    const when = timed && !this.#traps.oldShape ? { timestamp_ms: Date.now() } : {};
    this.#print({ ...kind, ...fields, session_id: this.#session, ...when });
    if (!this.#noisy) return;
    this.#noisy = false;
    write(1, 'T: You are on a plan without this model.\n\n{"type":"assistant","mess\n[]\n');
  }

  init(cwd: string, model: string, source: string): void {
    this.event("system", "init", { apiKeySource: source, cwd, model, permissionMode: "default" }, false);
  }

  prompted(text: string): void {
    this.event("user", undefined, { message: { role: "user", content: [{ type: "text", text }] } }, false);
  }

  said(text: string, modelCallId: string | undefined, timed: boolean): void {
    const message = { role: "assistant", content: [{ type: "text", text }] };
    this.event("assistant", undefined, { message, ...(modelCallId && { model_call_id: modelCallId }) }, timed);
  }

  result(end: { text: string; requestId: string; usage: Usage; startedAt: number }, subtype = "success"): void {
    this.#print(this.resultOf(end, subtype));
  }

  resultOf(end: { text: string; requestId: string; usage: Usage; startedAt: number }, subtype = "success"): object {
    const { input, output, cacheRead, cacheWrite } = end.usage;
    const ms = Date.now() - end.startedAt;
    const usage = {
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
    };
    return {
      type: "result",
      subtype,
      duration_ms: ms,
      duration_api_ms: ms,
      is_error: subtype !== "success",
      result: end.text,
      session_id: this.#session,
      ...(this.#traps.oldShape ? {} : { request_id: end.requestId, usage }),
    };
  }

  #print(event: object): void {
    const line = `${JSON.stringify(event)}\n`;
    write(1, line);
    if (this.#traps.mirror) write(2, line);
  }
}
