/** What a session may be told at its start: honoured, or said not to be. */
import { join } from "node:path";
import type { SessionOptions } from "../../../core/api.ts";
import { mcpServer } from "../../mcp-server.ts";
import { must, mustBe } from "../check.ts";
import type { Stage } from "../stage.ts";
import { play, type ContractScenario } from "../types.ts";
import { answering } from "./permissions.ts";

interface Option extends Pick<ContractScenario, "id" | "title" | "proves"> {
  readonly declared: NonNullable<ContractScenario["declared"]>;
  readonly options: (stage: Stage) => SessionOptions;
  /** Where it is declared; elsewhere the agent must say that it goes on without. */
  readonly honoured: (stage: Stage, options: SessionOptions) => Promise<void>;
}

const systemPrompt = (how: "append" | "replace"): Option => ({
  id: `system-prompt-${how}`,
  title: how === "append" ? "takes a further system prompt" : "takes another system prompt instead of its own",
  proves: [`systemPrompt.${how}`],
  declared: (can) => can.systemPrompt.includes(how),
  options: () => ({ systemPrompt: { text: "Speak like a pirate.", how } }),
  async honoured(stage, options) {
    await (await stage.session(options)).turn(play("text"));
    stage.mustKnow("Speak like a pirate.");
  },
});

const list: readonly Option[] = [
  systemPrompt("append"),
  systemPrompt("replace"),
  {
    id: "locale",
    title: "is told in which language to answer",
    proves: ["systemPrompt.append"],
    declared: (can) => can.systemPrompt.includes("append"),
    options: () => ({ locale: "de" }),
    async honoured(stage, options) {
      await (await stage.session(options)).turn(play("text"));
      stage.mustKnow("Answer in German (de).");
    },
  },
  {
    id: "tool-filter",
    title: "runs allowed tools unasked, and disallowed ones never",
    proves: ["toolFilter"],
    declared: (can) => can.toolFilter,
    options: () => ({ tools: { allowed: ["write"], disallowed: ["shell"] } }),
    async honoured(stage, options) {
      const { asked, onPermission } = answering("allow");
      const player = await stage.session({ ...options, onPermission });
      await player.turn(play("write", "x.txt"));
      await player.turn(play("shell", "touch y.txt"));
      mustBe(asked.length, 0, "How often somebody was asked");
      stage.mustExist("x.txt");
      stage.mustExist("y.txt", false);
    },
  },
  {
    id: "first-prompt-tools",
    title: "filters its tools for the first prompt alone",
    proves: ["firstPromptTools"],
    declared: (can) => can.firstPromptTools,
    options: () => ({ tools: { allowed: ["write"], first: { disallowed: ["write"] } } }),
    async honoured(stage, options) {
      const player = await stage.session(options);
      await player.turn(play("write", "x.txt"));
      await player.turn(play("write", "y.txt"));
      stage.mustExist("x.txt", false);
      stage.mustExist("y.txt");
    },
  },
  {
    id: "mcp-servers",
    title: "uses a tool of an MCP server",
    proves: ["mcpServers"],
    declared: (can) => can.mcpServers,
    options: () => ({ mcpServers: { scripted: mcpServer() } }),
    async honoured(stage, options) {
      const { result } = await (await stage.session({ ...options, mode: "full" })).turn(play("mcp"));
      must(result.text.includes("The sum is 5."), "What the server said did not reach the model.");
    },
  },
  {
    id: "directories",
    title: "works in a further folder",
    proves: ["directories"],
    declared: (can) => can.directories,
    options: (stage) => ({ directories: [stage.folderBeside("further", "far.txt", "far away\n")] }),
    async honoured(stage, options) {
      const { asked, onPermission } = answering("deny");
      const player = await stage.session({ ...options, onPermission });
      await player.turn(play("read", join(options.directories?.[0] ?? "", "far.txt")));
      mustBe(asked.length, 0, "How often somebody was asked");
      stage.mustKnow("far away");
    },
  },
  {
    id: "max-turns",
    title: "stops after a number of rounds",
    proves: ["maxTurns"],
    declared: (can) => can.maxTurns,
    options: () => ({ maxTurns: 2 }),
    async honoured(stage, options) {
      await (await stage.session({ ...options, mode: "full" })).turn(play("loop"));
    },
  },
  {
    id: "budget",
    title: "stops when it has cost too much",
    proves: ["budget"],
    declared: (can) => can.budget,
    options: () => ({ maxBudgetUsd: 0.000_001 }),
    async honoured(stage, options) {
      await (await stage.session({ ...options, mode: "full" })).turn(play("loop"));
    },
  },
];

export const options: readonly ContractScenario[] = [
  ...list.map(({ options: wanted, honoured, ...rest }): ContractScenario => ({
    ...rest,
    evenSo: true,
    async run(stage) {
      const given = wanted(stage);
      if (rest.declared(stage.can)) return honoured(stage, given);
      await (await stage.session({ ...given, allowUnenforced: true })).turn(play("text"));
    },
  })),
  {
    id: "limits",
    title: "tells how much of a plan is used",
    proves: ["limits"],
    declared: (can) => can.limits,
    place: { plan: true },
    async run(stage) {
      const player = await stage.session();
      await player.turn(play("limit-warning"));
      const limits = player.all("limit.updated").map(({ status }) => status);
      must(
        limits.includes("warning"),
        `A window that is nearly used up was told as: ${limits.join(", ") || "nothing"}.`,
      );
    },
  },
];
