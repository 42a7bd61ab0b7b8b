import { ReinsError } from "../../events/errors.ts";
import type { Agent, OpenOptions } from "../contract.ts";

/** For an agent whose tools go by their names only: a rule such as `shell(git push)` would match none, and hold nobody back. */
export function refuseRules({ id, name }: Pick<Agent, "id" | "name">, tools: OpenOptions["tools"]): void {
  const wrong = [tools, tools?.first]
    .flatMap((filter) => [...(filter?.allowed ?? []), ...(filter?.disallowed ?? [])])
    .find((tool) => tool.trim() === "" || tool.includes("("));
  if (wrong === undefined) return;
  throw new ReinsError(
    "invalid_input",
    `${name}'s tools are allowed and disallowed by their names, and "${wrong}" is none.`,
    {
      agent: id,
      help: "Name a tool such as shell or edit, without a rule.",
    },
  );
}
