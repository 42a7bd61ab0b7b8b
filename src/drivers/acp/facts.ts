/** What is known of a session beside its turns: title, commands, modes and models. Told when it changes. */
import { modes } from "../../events/modes.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEventOf } from "../../events/types.ts";
import type { Out } from "../json-rpc/index.ts";
import type { AcpQuirks } from "./quirks.ts";
import { records, text } from "./read.ts";
import type { Wire } from "./read.ts";
import { Settings } from "./settings.ts";

export interface FactsOptions {
  readonly name: string;
  readonly mode: Mode;
  readonly quirks: AcpQuirks;
}

export class Facts {
  readonly settings = new Settings();
  /** As Reins has it; the agent's own mode may stand for several of ours. */
  mode: Mode;
  /** The session was introduced; what changes before is told by that. */
  introduced = false;
  /** It may leave its planning for a wider mode. */
  #planApproved = false;
  readonly #options: FactsOptions;
  #title: string | undefined;
  #commands = "";

  constructor(options: FactsOptions) {
    this.#options = options;
    this.mode = options.mode;
  }

  /** False where the update is about something else. */
  update(kind: unknown, update: Wire, out: Out): boolean {
    switch (kind) {
      case "available_commands_update":
        this.#offered(records(update["availableCommands"]), out);
        return true;
      case "session_info_update":
        this.#entitled(text(update["title"]), out);
        return true;
      case "current_mode_update":
        this.#changed(() => this.settings.chose("mode", text(update["currentModeId"]) ?? ""), out);
        return true;
      case "config_option_update":
        this.#changed(() => this.settings.replaced(update["configOptions"]), out);
        return true;
      default:
        return false;
    }
  }

  planApproved(): void {
    this.#planApproved = true;
  }

  #offered(items: readonly Wire[], out: Out): void {
    const commands = items.flatMap((item): { name: string; description?: string }[] => {
      const [name, description] = [text(item["name"]), text(item["description"])];
      if (name === undefined) return [];
      return [description === undefined ? { name } : { name, description }];
    });
    const names = commands.map(({ name }) => name).join("\n");
    if (names === this.#commands) return;
    this.#commands = names;
    out.push({ type: "session.updated", commands, by: "agent" });
  }

  #entitled(title: string | undefined, out: Out): void {
    if (title === undefined || title === this.#title) return;
    this.#title = title;
    out.push({ type: "session.updated", title, by: "agent" });
  }

  /** Modes, models or options change, by us or by the agent itself. */
  #changed(change: () => void, out: Out): void {
    const before = this.#chosen();
    change();
    const now = this.#chosen();
    if (!this.introduced) return;
    const updated: AgentEventOf<"session.updated"> = { type: "session.updated", by: "agent" };
    if (now.model !== undefined && now.model !== before.model) updated.model = now.model;
    if (now.mode !== undefined && now.mode !== before.mode) this.#inMode(now.mode, updated, out);
    if (updated.model !== undefined || updated.nativeMode !== undefined) out.push(updated);
  }

  #chosen(): { mode: string | undefined; model: string | undefined } {
    return { mode: this.settings.current("mode")?.id, model: this.settings.current("model")?.id };
  }

  /** A wider mode that it chose itself is not ours: what it asks is still judged by ours, but it may ask less. */
  #inMode(nativeMode: string, updated: AgentEventOf<"session.updated">, out: Out): void {
    updated.nativeMode = nativeMode;
    const mode = this.#modeOf(nativeMode);
    if (mode === undefined) return;
    updated.mode = mode;
    const leavesPlan = this.mode === "plan" && this.#planApproved;
    this.#planApproved = false;
    if (leavesPlan || modes.indexOf(mode) <= modes.indexOf(this.mode)) {
      this.mode = mode;
      return;
    }
    const message = `${this.#options.name} put itself into a mode that allows more (${nativeMode}); it may ask less.`;
    out.push({ type: "notice", level: "warning", code: "divergence", message });
  }

  /** The mode we are in, where that is what it means, else the narrowest it can be. */
  #modeOf(nativeMode: string): Mode | undefined {
    const own = this.#options.quirks.modes ?? {};
    const meant = modes.filter((mode) => own[mode]?.id === nativeMode);
    return meant.includes(this.mode) ? this.mode : meant.find((mode) => own[mode]?.chosenOnly !== true);
  }
}
