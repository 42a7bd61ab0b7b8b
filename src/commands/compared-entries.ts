/** Who takes part in a comparison, as a person types it: `1, codex:some-model`. */
import type { AgentStatus, NewComparison } from "../core/api.ts";
import { closest } from "../events/closest.ts";

/** `agents`: those that can take part, in the order of their numbers. A model follows the first colon after the agent. */
export function comparedEntries(
  typed: string,
  agents: readonly Pick<AgentStatus, "id" | "name">[],
): { readonly entries: NewComparison["entries"] } | { readonly problem: string } {
  const entries: { agent: string; model?: string }[] = [];
  for (const word of typed.split(",").map((part) => part.trim())) {
    if (word === "") continue;
    const entry = agents.flatMap(({ id, name }, at) => {
      // An id may have a colon of its own, as in `acp:program`.
      const own = [String(at + 1), id, name].find((one) => startsWith(word, one));
      const model = own === undefined ? "" : word.slice(own.length + 1).trim();
      return own === undefined ? [] : [{ agent: id, ...(model !== "" && { model }) }];
    });
    const [found] = entry.toSorted((a, b) => b.agent.length - a.agent.length);
    if (found === undefined) {
      const near = closest(
        word,
        agents.flatMap(({ id, name }) => [id, name]),
      );
      return { problem: `There is no agent ${word}.${near === undefined ? "" : ` Did you mean ${near}?`}` };
    }
    entries.push(found);
  }
  return entries.length === 0 ? { problem: "No agent was named." } : { entries };
}

function startsWith(word: string, name: string): boolean {
  const [typed, wanted] = [word.toLowerCase(), name.toLowerCase()];
  return typed === wanted || typed.startsWith(`${wanted}:`);
}
