// Starts a server and uses it through `reins/client`, which has the same interface as `createReins`. The agents run in the server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "reins/client";

const folder = await mkdtemp(join(tmpdir(), "reins-"));

// The same as `reins serve --port 0` in a terminal; port 0 is any free port. REINS_HOME keeps your own sessions out of this.
const command = fileURLToPath(new URL("bin/reins.js", import.meta.resolve("reins/package.json")));
const server = spawn(process.execPath, [command, "serve", "--port", "0"], {
  env: { ...process.env, REINS_HOME: join(folder, "home") },
  stdio: ["ignore", "pipe", "inherit"],
});

try {
  // The server prints its address with a token: http://127.0.0.1:40123/#token=...
  const [printed] = (await once(server.stdout, "data")) as [Buffer];
  const { origin, hash } = new URL(printed.toString().trim());
  const reins = createClient({ url: origin, token: new URLSearchParams(hash.slice(1)).get("token") ?? "" });
  try {
    const session = await reins.session({ agent: "demo", cwd: folder, onPermission: () => "allow" });
    const turn = session.prompt("write hello.txt Hello; say Done by the server.");
    for await (const event of turn) {
      if (event.type === "message.completed") console.log(event.text);
    }
    console.log("changed:", (await turn.result).filesChanged);
  } finally {
    await reins.close();
  }
} finally {
  server.kill();
}
