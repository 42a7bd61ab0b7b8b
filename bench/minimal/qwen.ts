import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Launch, MinimalClient } from "./client.ts";
import { streamJsonClient } from "./stream-json.ts";

const settingsVariable = "QWEN_CODE_SYSTEM_DEFAULTS_PATH";

/** Qwen Code posts its hooks to an address in its settings, so this client runs a server that answers them. */
export async function qwenClient(launch: Launch): Promise<MinimalClient> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      JSON.parse(body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = join(mkdtempSync(join(tmpdir(), "reins-bench-")), "settings.json");
  const reins = readFileSync(launch.env[settingsVariable]!, "utf8");
  writeFileSync(settings, reins.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/[\w-]+/g, own));
  const env = { ...launch.env, [settingsVariable]: settings };
  const client = await streamJsonClient({ ...launch, env }, { hooks: null, timeout: { canUseTool: 600_000 } });
  return {
    turn: (prompt) => client.turn(prompt),
    async close() {
      await client.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
