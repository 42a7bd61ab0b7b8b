/**
 * A local stand-in for the Cloud Agents API: the documented requests and answers, and agents that really work in a folder with a scripted
 * model. `faults` injects failures.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agents } from "./agents.ts";
import { callOf, refuse as answerRefusal, Refusal, type Call } from "./answers.ts";
import { Faults } from "./faults.ts";
import { newer } from "./newer.ts";
import { callBack, older } from "./older.ts";
import type { AgentRecord, World } from "./types.ts";

export interface CloudApi extends AsyncDisposable {
  readonly url: string;
  readonly faults: Faults;
  readonly calls: readonly Call[];
  readonly agents: readonly AgentRecord[];
  /** Sets the folder and the model of its agents from now on. */
  connect(world: World): void;
  forget(): Promise<void>;
  /** Refuses connections until it listens again. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

export async function startCloudApi(): Promise<CloudApi> {
  const agents = new Agents();
  const faults = new Faults();
  const calls: Call[] = [];
  agents.onEnd = (agent, run) => void callBack(agent, run);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await callOf(request);
    calls.push(call);
    const fault = faults.take(call.method, call.path);
    if (fault === "destroy") return void response.destroy();
    if (typeof fault === "function") return void response.end(JSON.stringify(fault()));
    if (typeof fault === "object") {
      const { status, body = "", headers = {} } = fault;
      return void response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    }
    try {
      if (!isKnown(call)) throw new Refusal(401, "Invalid API key");
      const [, version] = call.path.split("/");
      // The request is processed, and the answer never arrives.
      if (fault === "lost") response.writeHead = () => response.destroy();
      if (version === "v1" && !faults.olderOnly) newer(agents, call, response, faults);
      else if (version === "v0") older(agents, call, response);
      else throw new Refusal(404, "Resource not found");
    } catch (thrown) {
      if (response.destroyed) return;
      answerRefusal(response, thrown instanceof Refusal ? thrown : new Refusal(500, "An unexpected error occurred"));
    }
  }

  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const refuse = async (): Promise<void> => {
    const closed = server.listening ? once(server, "close") : undefined;
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const close = async (): Promise<void> => {
    await agents.forget();
    await refuse();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    calls,
    agents: agents.all,
    connect: (world) => agents.connect(world),
    forget: () => agents.forget(),
    refuse,
    async listen() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Accepts any key of the right form, in both ways it may be sent. */
function isKnown({ headers }: Call): boolean {
  const [scheme, value = ""] = headers.authorization?.split(" ") ?? [];
  const key = scheme === "Basic" ? Buffer.from(value, "base64").toString("utf8").replace(/:$/, "") : value;
  return (scheme === "Basic" || scheme === "Bearer") && key.startsWith("crsr_");
}
