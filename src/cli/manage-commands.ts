import { Argument } from "commander";
import type { Command } from "commander";
import { ReinsError } from "../events/errors.ts";
import type { Exit } from "./exit-codes.ts";

const json = "print one line of JSON each";
const hookActions = ["status", "install", "remove"] as const;
export type HookAction = (typeof hookActions)[number];

/** The commands that look after agents: the same for every one. */
export function addManagement(program: Command, ending: AbortSignal, finish: (exit: Exit) => void): void {
  program
    .command("status")
    .description("Who is signed in to what; of one agent, everything it tells.")
    .argument("[agent]", "only this one")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      const { status } = await import("./status.ts");
      await status(id, options, ending);
    });

  program
    .command("models")
    .description("The models of every agent that is ready, and the short names of models.")
    .argument("[agent]", "only those of this one")
    .option("--refresh", "ask now, instead of showing what was listed within the last hour")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (id: string | undefined, options: { json?: boolean; refresh?: boolean }) => {
      const { models } = await import("./models.ts");
      await models(id, options, ending);
    });

  for (const [action, what] of [
    ["login", "Sign in to an agent, by its own command, in this terminal."],
    ["logout", "Sign out of an agent."],
    ["update", "Bring an agent to its newest version, by its own command."],
  ] as const) {
    program
      .command(action)
      .description(what)
      .argument("<agent>", "its id in `reins agents`")
      .helpOption("-h, --help", "this help")
      .action(async (id: string) => {
        const { sign } = await import("./sign.ts");
        finish(await sign(action, id, ending));
      });
  }

  const mcp = program
    .command("mcp")
    .description("The MCP servers in the agents' own settings.")
    .helpOption("-h, --help", "this help")
    .helpCommand(false)
    .exitOverride();
  mcp
    .command("list", { isDefault: true })
    .description("Which there are, and whether each answers; the agent starts them to find out.")
    .argument("[agent]", "only those of this one")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      const { mcpList } = await import("./mcp.ts");
      await mcpList(id, options, ending);
    });
  mcp
    .command("tools")
    .description("The tools of one, where the agent lists them.")
    .argument("<agent>", "its id in `reins agents`")
    .argument("<server>", "the name of the server")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (id: string, server: string, options: { json?: boolean }) => {
      const { mcpTools } = await import("./mcp.ts");
      await mcpTools(id, server, options, ending);
    });
  for (const action of ["enable", "disable"] as const) {
    mcp
      .command(action)
      .description(`${action === "enable" ? "Enable" : "Disable"} one in an agent's settings.`)
      .argument("<agent>", "its id in `reins agents`")
      .argument("<server>", "the name of the server")
      .helpOption("-h, --help", "this help")
      .action(async (id: string, server: string) => {
        const { mcpSwitch } = await import("./mcp.ts");
        await mcpSwitch(action, id, server, ending);
      });
  }
  mcp
    .command("login")
    .description("Sign in to one, by the agent's own command, in this terminal.")
    .argument("<agent>", "its id in `reins agents`")
    .argument("<server>", "the name of the server")
    .helpOption("-h, --help", "this help")
    .action(async (id: string, server: string) => {
      const { mcpLogin } = await import("./mcp.ts");
      finish(await mcpLogin(id, server, ending));
    });

  program
    .command("hooks")
    .description("Hooks of Reins in an agent's own files, for those who want them to stay there.")
    .argument("<agent>", "its id in `reins agents`")
    .addArgument(new Argument("<action>", "what is there, put them there, or take them out").choices(hookActions))
    .option("--project", "in the file of this folder, instead of the one for all your projects")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (id: string, action: HookAction, options: { json?: boolean; project?: boolean }) => {
      const { hooks } = await import("./hooks.ts");
      await hooks(id, action, options, ending);
    });

  program
    .command("doctor")
    .description("What is here, what works, and what to do about the rest.")
    .option(
      "--prove [agent]",
      "run the contract on the agents installed here, against a scripted model: no account, no tokens",
    )
    .option("--only <capability>", "with --prove: only what is about this")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .addHelpText("after", doctorHelp)
    .action(async (options: { json?: boolean; prove?: string | true; only?: string }) => {
      if (options.prove === undefined) {
        if (options.only !== undefined)
          throw new ReinsError("invalid_input", "`--only` only goes together with `--prove`.");
        const { doctor } = await import("./doctor.ts");
        return doctor(options, ending);
      }
      const { proveInstalled } = await import("./doctor-prove.ts");
      return finish(await proveInstalled(options.prove === true ? undefined : options.prove, options, ending));
    });
}

const doctorHelp = `
\`reins doctor --prove\` starts the agent that is installed on this machine,
points it at a model that only says what a script tells it to, and shows for
everything that Reins says the agent can do whether it really does it, in the
version that is here. On Linux it runs without a network.
`;
