/** Two other ACP clients from npm, for comparison. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { agentPath } from "./bare-acp.mjs";

export const acpx = { package: "acpx", version: "0.19.1", bin: "acpx" } as const;
export const acpSdk = { package: "@agentclientprotocol/sdk", version: "2.4.0" } as const;

export interface Client {
  turn(text: string): Promise<unknown>;
  close(): Promise<unknown> | void;
}

const folderOf = (cache: string, { package: name, version }: { package: string; version: string }): string =>
  join(cache, `${name}@${version}`);

async function load(cache: string, what: { package: string; version: string }, entry: string): Promise<unknown> {
  const require = createRequire(join(folderOf(cache, what), "package.json"));
  return import(pathToFileURL(require.resolve(entry)).href);
}

export const acpxProgram = (cache: string): string => join(folderOf(cache, acpx), "node_modules", ".bin", acpx.bin);

export async function sdkClient(cache: string): Promise<Client> {
  const sdk = (await load(cache, acpSdk, acpSdk.package)) as {
    client(options: object): {
      onNotification(method: string, handler: () => void): unknown;
      connectWith(stream: unknown, work: (peer: Peer) => Promise<void>): Promise<void>;
    };
    ndJsonStream(output: unknown, input: unknown): unknown;
  };
  interface Peer {
    request(method: string, params: object): Promise<{ sessionId: string }>;
  }
  const child = spawn(process.execPath, [agentPath], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const app = sdk.client({ name: "bench" });
  app.onNotification("session/update", () => {});
  const ready = Promise.withResolvers<{ peer: Peer; sessionId: string }>();
  const over = Promise.withResolvers<void>();
  const stream = sdk.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  const connected = app.connectWith(stream, async (peer) => {
    await peer.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await peer.request("session/new", { cwd: process.cwd(), mcpServers: [] });
    ready.resolve({ peer, sessionId });
    await over.promise;
  });
  connected.catch((error: unknown) => ready.reject(error));
  const { peer, sessionId } = await ready.promise;
  return {
    turn: (text) => peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    close() {
      over.resolve();
      child.kill();
    },
  };
}

export async function acpxClient(cache: string): Promise<Client> {
  const runtimes = (await load(cache, acpx, "acpx/runtime")) as {
    createAcpRuntime(options: object): {
      ensureSession(input: object): Promise<unknown>;
      startTurn(input: object): { events: AsyncIterable<unknown>; result: Promise<unknown> };
      shutdown(): Promise<void>;
    };
    createRuntimeStore(options: object): unknown;
    createAgentRegistry(options?: object): unknown;
  };
  const cwd = mkdtempSync(join(tmpdir(), "reins-bench-"));
  const runtime = runtimes.createAcpRuntime({
    cwd,
    sessionStore: runtimes.createRuntimeStore({ stateDir: join(cwd, "state") }),
    agentRegistry: runtimes.createAgentRegistry({ overrides: { bench: `${process.execPath} ${agentPath}` } }),
    permissionMode: "deny-all",
  });
  const handle = await runtime.ensureSession({ sessionKey: "bench", agent: "bench", mode: "persistent", cwd });
  let turns = 0;
  return {
    async turn(text) {
      const turn = runtime.startTurn({ handle, text, mode: "prompt", requestId: `r${++turns}` });
      for await (const event of turn.events) void event;
      return turn.result;
    },
    close: () => runtime.shutdown(),
  };
}
