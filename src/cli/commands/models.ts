import type { Command } from "commander";
import { unifiedModels } from "../../agents/models.ts";
import { modelFacts, type ListedModel } from "../../commands/facts.ts";
import type { Reins } from "../../core/api.ts";
import { addCommand, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { commandName } from "../installation.ts";
import { modelLines } from "../render/agents-table.ts";
import { failureText, show } from "../with-status.ts";

interface Listed {
  readonly agent: string;
  readonly name: string;
  readonly models: readonly ListedModel[];
  readonly help?: string | undefined;
}

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "models", "List the models of every ready agent, and their short names.")
    .argument("[agent]", "only of this agent")
    .option("--refresh", "ask now instead of using the list of the last hour")
    .option("--json", texts.json)
    .action((id: string | undefined, { json, refresh = false }: SharedOptions & { refresh?: boolean }) => {
      const list = async (reins: Reins) =>
        id === undefined ? listAll(reins, refresh) : [await listOne(reins, id, refresh)];
      const page = (all: readonly Listed[]): string =>
        all.map(section).join("\n") + (id === undefined ? shortNames(all.length) : "");
      return show("Asking for models", { ending, json }, list, page);
    });
}

/** A named agent that cannot list its models is a failure; one of many only says why. */
async function listOne(reins: Reins, id: string, fresh: boolean): Promise<Listed> {
  // Ask for the list first, because `reins.agent` would list the models from its cache.
  const listed = await modelFacts(await reins.manage(id), { fresh });
  const { name } = await reins.agent(id);
  return { agent: id, name, models: listed };
}

async function listAll(reins: Reins, fresh: boolean): Promise<readonly Listed[]> {
  const ready = (await reins.agents()).filter((status) => status.ready);
  return Promise.all(
    ready.map(({ id, name }) =>
      listOne(reins, id, fresh).catch((thrown: unknown) => ({
        agent: id,
        name,
        models: [],
        help: failureText(thrown),
      })),
    ),
  );
}

/** In text, the default model is not marked as current too. */
function asTold(model: ListedModel): ListedModel {
  return model.default ? { ...model, current: false } : model;
}

function section({ agent, name, models: list, help }: Listed): string {
  const lines = list.length > 0 ? modelLines(list.map(asTold)) : [`→ ${help ?? "It lists no models."}`];
  return [`${name} (${agent})`, ...lines.map((line) => `  ${line}`), ""].join("\n");
}

function shortNames(agents: number): string {
  const named = unifiedModels.filter(({ aliases }) => aliases !== undefined);
  const width = Math.max(...named.map(({ aliases = [] }) => aliases.join(", ").length));
  const lines = named.map(({ id, aliases = [] }) => `  ${aliases.join(", ").padEnd(width)}  ${id}`);
  const use = `Use one: ${commandName()} run -m <name> "...". The name selects the agent.`;
  return `${agents > 0 ? "\n" : ""}Short names, for every agent that has the model:\n${lines.join("\n")}\n\n${use}\n`;
}
