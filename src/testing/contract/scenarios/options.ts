/** Options at the start of a session: each is honoured, or a notice says that it is not. */
import { join } from "node:path";
import type { SessionOptions } from "../../../core/api.ts";
import { mcpServer } from "../../mcp-server.ts";
import { must, mustBe } from "../check.ts";
import type { Stage } from "../stage.ts";
import { isDeclared, orSaid, play, scenario, type CapabilityRow, type ContractScenario } from "../types.ts";
import { answering } from "./permissions.ts";

/**
 * Returns true if the option is declared. Otherwise runs a turn, in which a notice must say that the agent continues without the option.
 */
async function honours(stage: Stage, row: CapabilityRow, options: SessionOptions): Promise<boolean> {
  if (isDeclared(row, stage.can)) return true;
  await stage.turn(play("text"), { ...options, allowUnenforced: true });
  return false;
}

/** Options whose text must reach the model. */
const told = (row: CapabilityRow, id: string, title: string, options: SessionOptions, words: string) =>
  orSaid(row, id, title, async (stage) => {
    if (!(await honours(stage, row, options))) return;
    await stage.turn(play("text"), options);
    stage.mustKnow(words);
  });

/** Options that end a turn which would never end by itself. */
const stopping = (row: "maxTurns" | "budget", id: string, title: string, options: SessionOptions) =>
  orSaid(row, id, title, async (stage) => {
    if (await honours(stage, row, options)) await stage.turn(play("loop"), { ...options, mode: "full" });
  });

const pirate = "Speak like a pirate.";
const append: SessionOptions = { systemPrompt: { text: pirate, how: "append" } };
const replace: SessionOptions = { systemPrompt: { text: pirate, how: "replace" } };
const german = "Answer in German (de).";

export const options: readonly ContractScenario[] = [
  told("systemPrompt.append", "system-prompt-append", "accepts an additional system prompt", append, pirate),
  told(
    "systemPrompt.replace",
    "system-prompt-replace",
    "accepts a system prompt that replaces its own",
    replace,
    pirate,
  ),
  told("systemPrompt.append", "locale", "tells its model in which language to answer", { locale: "de" }, german),
  orSaid(
    "toolFilter",
    "tool-filter",
    "runs allowed tools without asking, and disallowed tools never",
    async (stage) => {
      const { asked, onPermission } = answering("allow");
      const options: SessionOptions = { tools: { allowed: ["write"], disallowed: ["shell"] } };
      if (!(await honours(stage, "toolFilter", options))) return;
      const player = await stage.session({ ...options, onPermission });
      await player.turn(play("write", "x.txt"));
      await player.turn(play("shell", "touch y.txt"));
      mustBe(asked.length, 0, "How often somebody was asked");
      stage.mustExist("x.txt");
      stage.mustExist("y.txt", false);
    },
  ),
  orSaid("firstPromptTools", "first-prompt-tools", "filters its tools for the first prompt only", async (stage) => {
    const options: SessionOptions = { tools: { allowed: ["write"], first: { disallowed: ["write"] } } };
    if (!(await honours(stage, "firstPromptTools", options))) return;
    const player = await stage.session(options);
    await player.turn(play("write", "x.txt"));
    await player.turn(play("write", "y.txt"));
    stage.mustExist("x.txt", false);
    stage.mustExist("y.txt");
  }),
  orSaid("mcpServers", "mcp-servers", "uses a tool of an MCP server", async (stage) => {
    const options = { mcpServers: { scripted: mcpServer() } };
    if (!(await honours(stage, "mcpServers", options))) return;
    const { result } = await stage.turn(play("mcp"), { ...options, mode: "full" });
    must(result.text.includes("The sum is 5."), "The result of the MCP server did not reach the model.");
  }),
  orSaid("directories", "directories", "works in an additional folder", async (stage) => {
    const folder = stage.folderBeside("further", "far.txt", "far away\n");
    if (!(await honours(stage, "directories", { directories: [folder] }))) return;
    const { asked, onPermission } = answering("deny");
    await stage.turn(play("read", join(folder, "far.txt")), { directories: [folder], onPermission });
    mustBe(asked.length, 0, "How often somebody was asked");
    stage.mustKnow("far away");
  }),
  stopping("maxTurns", "max-turns", "stops after a number of rounds", { maxTurns: 2 }),
  stopping("budget", "budget", "stops when it exceeds its budget", { maxBudgetUsd: 0.000_001 }),
  scenario(
    "limits",
    "reports how much of a plan is used",
    { declared: "limits", place: { plan: true } },
    async (stage) => {
      const player = await stage.session();
      await player.turn(play("limit-warning"));
      const told = player.all("limit.updated").map(({ status }) => status);
      must(
        told.includes("warning"),
        `A window that is nearly used up was reported as: ${told.join(", ") || "nothing"}.`,
      );
    },
  ),
];
