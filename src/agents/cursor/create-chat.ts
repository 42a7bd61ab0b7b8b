/** `agent create-chat`: an empty conversation. It prints the id, and some versions do not end after that. */
import { tmpdir } from "node:os";
import type { Child } from "../../process/types.ts";
import type { AgentContext } from "../contract.ts";
import { requireCursor } from "./binary.ts";
import { commandFailed } from "./commands.ts";
import { environmentOf } from "./environment.ts";
import { linesOf } from "./output.ts";
import { program } from "./program.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export async function createChat(context: AgentContext, cwd: string = tmpdir()): Promise<string> {
  const { path, args } = await requireCursor(context);
  const child = await context.processes.launch({
    command: path,
    args: [...args, "create-chat"],
    cwd,
    env: environmentOf(context.env),
    agent: program.id,
    stdin: "ignore",
  });
  const late = setTimeout(() => void child.stop({ politely: false }), context.deadlines.request);
  try {
    const id = await idOf(child);
    if (id !== undefined) return id;
  } finally {
    clearTimeout(late);
    await child.stop({ politely: false });
  }
  const said = linesOf(child.stderrTail())[0] ?? "it printed no id.";
  throw commandFailed(`${program.name}'s \`create-chat\``, said, "protocol_error");
}

async function idOf(child: Child): Promise<string | undefined> {
  for await (const { lines } of child.lines)
    for (const line of lines) if (uuid.test(line.trim())) return line.trim().toLowerCase();
  return undefined;
}
