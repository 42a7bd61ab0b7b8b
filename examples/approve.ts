// Decides every permission request in code: reads are allowed, one file may change, everything else is denied with a reason for the agent.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReins, type PermissionReply, type PermissionRequest } from "reins";

const reins = createReins();

function decide(request: PermissionRequest): PermissionReply {
  const paths = request.locations?.map((location) => location.path) ?? [];
  if (request.tool === "write" && paths.every((path) => path.endsWith("notes.txt"))) return "allow";
  return { decision: "deny", message: "Only notes.txt may change." };
}

try {
  const turn = reins.run("write notes.txt Remember the milk; write other.txt Forget it; list", {
    agent: "demo",
    cwd: await mkdtemp(join(tmpdir(), "reins-")),
    onPermission: decide,
  });
  for await (const event of turn) {
    if (event.type === "permission.resolved")
      console.log(`${event.outcome} by ${event.by}: ${event.message ?? "go ahead"}`);
    if (event.type === "tool.failed") console.log(`not done: ${event.error.message}`);
  }
  console.log("changed:", (await turn.result).filesChanged);
} finally {
  await reins.close();
}
