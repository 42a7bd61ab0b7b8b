/** A conversation over ACP. */
import { fieldsOf, listOf, ModelError, textOf, type Fields, type McpServerSettings } from "../../agent-loop/index.ts";
import { titleOf } from "../chats.ts";
import { wordsOf } from "../failures.ts";
import { usableServers } from "../mcp.ts";
import type { Seat } from "../seat.ts";
import { runTurn } from "../turn.ts";
import type { AcpChannel } from "./acp-channel.ts";
import { partsOf } from "./prompt-parts.ts";
import { invalidParams, RpcProblem } from "./rpc.ts";

const reasons = { end: "end_turn", max_tokens: "max_tokens", refusal: "refusal" } as const;

export class AcpSession {
  readonly seat: Seat;
  readonly #channel: AcpChannel;
  #running: AbortController | undefined;
  #titled = false;

  constructor(seat: Seat, channel: AcpChannel) {
    this.seat = seat;
    this.#channel = channel;
  }

  async prompt(params: Fields): Promise<object> {
    if (this.#running !== undefined) throw invalidParams("A prompt is already being answered.");
    const parts = partsOf(params["prompt"]);
    const stop = new AbortController();
    this.#running = stop;
    try {
      const turn = await runTurn(this.seat, parts, stop.signal);
      if (turn.refused !== undefined) this.#channel.text(turn.refused);
      if (!this.#titled) this.#channel.update("session_info_update", { title: titleOf(this.seat.chat.messages) });
      this.#titled = true;
      return { stopReason: reasons[turn.stop] };
    } catch (thrown) {
      if (stop.signal.aborted) return { stopReason: "cancelled" };
      if (!(thrown instanceof ModelError)) throw thrown;
      if (thrown.status === 401) throw new RpcProblem(-32000, "Authentication required", { message: wordsOf(thrown) });
      throw new RpcProblem(-32603, "Internal error", { message: wordsOf(thrown) });
    } finally {
      this.#running = undefined;
    }
  }

  cancel(): void {
    this.#running?.abort();
  }

  async close(reason: string): Promise<void> {
    this.cancel();
    await this.seat.close(reason);
  }
}

/** Its own servers, which a person must have approved, and those of the client, which are trusted. */
export function serversIn(cwd: string, params: Fields, pluginDirs: readonly string[]): Map<string, McpServerSettings> {
  const brought = listOf(params["mcpServers"]).map(fieldsOf);
  const pairs = (list: unknown): Record<string, string> =>
    Object.fromEntries(listOf(list).map((pair) => [textOf(fieldsOf(pair)["name"]), textOf(fieldsOf(pair)["value"])]));
  const settings = brought.map((server): [string, McpServerSettings] => [
    textOf(server["name"]),
    typeof server["url"] === "string"
      ? { url: server["url"], headers: pairs(server["headers"]) }
      : {
          command: textOf(server["command"]),
          args: listOf(server["args"]).map(String),
          env: pairs(server["env"]),
        },
  ]);
  return new Map([...usableServers(cwd, pluginDirs, false), ...settings]);
}
