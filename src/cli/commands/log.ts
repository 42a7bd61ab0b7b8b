import type { Command } from "commander";
import { addCommand, numberOption, texts, type CommandContext } from "../command.ts";
import { EventView } from "../render/progress.ts";
import { iterateUntil } from "../signals.ts";
import { withReins } from "../with-status.ts";

const whole = numberOption((value) => Number.isInteger(value) && value >= 0, "a whole number, 0 or more");

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "log", "Show the log of a session.")
    .argument("<session>", texts.session)
    .option("--json", "print every event as one line of JSON, just as it was streamed")
    .option("--after <seq>", "only events after this sequence number", whole)
    .action(async (name: string, { json = false, after = 0 }: { json?: boolean; after?: number }) => {
      using view = new EventView(json, "past");
      await withReins(async (reins) => {
        const events = reins.sessions.events(name, { after });
        for await (const event of iterateUntil(ending, events)) await view.show(event);
      });
    });
}
