/** `cursor/update_todos`: the whole list, or what changed of it. */
import type { AcpMethod } from "../../../drivers/acp/index.ts";
import { records, text } from "../../../drivers/acp/read.ts";
import type { Wire } from "../../../drivers/acp/read.ts";

/** For one session, whose list it keeps: an update with `merge` has only what changed. */
export function updateTodos(): AcpMethod {
  let todos: ReadonlyMap<string, Wire> = new Map();
  return (params) => {
    if (!Array.isArray(params["todos"])) return undefined;
    const told = records(params["todos"]).map((todo, index): [string, Wire] => [text(todo["id"]) ?? `${index}`, todo]);
    todos = params["merge"] === true ? merged(todos, told) : new Map(told);
    const all = [...todos.values()];
    return {
      says: "updates",
      updates: [{ sessionUpdate: "plan", entries: entriesOf(all) }],
      answer: { outcome: { outcome: "accepted", todos: all } },
    };
  };
}

function merged(before: ReadonlyMap<string, Wire>, told: readonly (readonly [string, Wire])[]): Map<string, Wire> {
  const now = new Map(before);
  for (const [id, todo] of told) now.set(id, { ...now.get(id), ...todo });
  return now;
}

/** As ACP has them. What was called off is no part of a plan. */
export function entriesOf(todos: readonly Wire[]): Wire[] {
  return todos.flatMap(({ content, status }) =>
    text(content) === undefined || status === "cancelled" ? [] : [{ content, status }],
  );
}
