/** The scripted model: a server on loopback that an agent takes for the model's service. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Proof } from "../agents/contract.ts";
import { Gates } from "./barriers.ts";
import { RequestLog, type LoggedRequest } from "./requests.ts";
import { Responder } from "./respond.ts";
import { parseScenarios, type Scenario } from "./scenario.ts";
import { standardScenarios } from "./scenarios.ts";

export interface ScriptedModelOptions {
  /** Beside the standard scenarios, or instead of one of the same name. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Spells canonical tool calls: the proof of the agent under test. */
  readonly proof?: Pick<Proof, "toolCall" | "asides" | "limitHeaders"> | undefined;
  /** `{cwd}`, and where relative paths of tool calls stand. Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Further `{...}` of one's own. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The scenario of a conversation without a marker. Default: `text`. */
  readonly fallback?: string | undefined;
  /** Default: any free one. */
  readonly port?: number | undefined;
}

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly LoggedRequest[];
  /** The first request, past or to come, of which this is true; asked again whenever more is known about one. */
  waitFor(matches: (request: LoggedRequest) => boolean, deadlineMs?: number): Promise<LoggedRequest>;
  /** Lets one answer pass a gate: the one that waits longest, or the next to come. */
  release(gate: string): void;
  /** Resolves when an answer waits at a gate. */
  reached(gate: string): Promise<void>;
  /** Nobody answers at its address any more, until `listen`. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

const usualDeadline = 15_000;

export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const scenarios = [...standardScenarios, ...parseScenarios(options.scenarios ?? [])];
  const log = new RequestLog();
  const gates = new Gates();
  const responder = new Responder({
    log,
    gates,
    script: {
      scenarios: new Map(scenarios.map((scenario) => [scenario.name, scenario])),
      fallback: options.fallback ?? "text",
      cwd: options.cwd ?? process.cwd(),
      params: options.params ?? {},
      proof: options.proof,
    },
  });
  const server = createServer((request, response) => void responder.respond(request, response));
  const listen = async (at: number) => {
    server.listen(at, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = server.listening ? once(server, "close") : undefined;
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: log.entries,
    waitFor: (matches, deadlineMs = usualDeadline) => log.waitFor(matches, deadlineMs),
    release: (gate) => gates.release(gate),
    reached: (gate) => gates.reached(gate),
    refuse: close,
    listen: () => listen(port),
    close,
    [Symbol.asyncDispose]: close,
  };
}
