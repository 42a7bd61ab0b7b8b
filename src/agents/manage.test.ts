import { expect, test } from "vitest";
import { defaultDeadlines } from "../events/deadlines.ts";
import { defaultLimits } from "../events/limits.ts";
import { createRedactor } from "../events/redact.ts";
import type { Processes } from "../process/types.ts";
import type { AgentContext, ManagementAction } from "./contract.ts";
import { agentEntries } from "./index.ts";

const context: AgentContext = {
  processes: {} as Processes,
  env: {},
  deadlines: defaultDeadlines,
  limits: defaultLimits,
  redact: createRedactor({}),
};

const everyAction: readonly ManagementAction[] = [
  ...(["login", "logout", "update", "about", "models", "verify"] as const),
  ...(["mcp.list", "mcp.enable", "mcp.disable", "mcp.login"] as const),
];
const ids = agentEntries.flatMap(({ id, family }) => (family === true ? [id, `${id}:toy --acp`] : [id]));

test.each(ids)("%s supports every management action or says what to do instead", async (id) => {
  const entry = agentEntries.find((one) => one.id === id.split(":", 1)[0]);
  const { manage } = (await entry!.load()).createAgent(context, id);
  const wrong = everyAction.filter((action) => {
    const [group, name] = action.split(".");
    const does = Object(name === undefined ? manage : manage.mcp)[name ?? group!] as unknown;
    const instead = manage.instead?.[action];
    // Exactly one of the two is set, and `instead` is a whole sentence.
    return does === undefined ? !/^\S.+\.$/.test(instead ?? "") : instead !== undefined;
  });
  expect(wrong).toEqual([]);
});
