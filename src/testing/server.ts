/** The scripted model: a server on loopback that an agent takes for its model's service. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Proof } from "../agents/contract.ts";
import { Gates } from "./barriers.ts";
import { RequestLog, type LoggedRequest } from "./requests.ts";
import { Responder } from "./respond.ts";
import { parseScenarios, type Scenario } from "./scenario.ts";
import { standardScenarios } from "./scenarios.ts";

/** Options of `startScriptedModel`. */
export interface ScriptedModelOptions {
  /** Scenarios in addition to the standard ones; one with the name of a standard scenario replaces it. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** The proof of the agent under test (`proofOf(id)`), which translates canonical tool calls to the agent's own. */
  readonly proof?: Pick<Proof, "toolCall" | "asides" | "limitHeaders"> | undefined;
  /** The folder for `{cwd}` and for relative paths of tool calls. Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Values for further placeholders `{...}` in scenarios. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The scenario of a conversation without a marker. Default: `text`. */
  readonly fallback?: string | undefined;
  /** Default: any free port. */
  readonly port?: number | undefined;
}

/** A running scripted model. Close it with `close()` or `await using`. */
export interface ScriptedModel extends AsyncDisposable {
  /** The address to give to the agent, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** All requests so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /**
   * Returns the first matching request, past or future; checks a request again when more is known about it. Rejects after `deadlineMs`
   * (default: 15,000).
   */
  waitFor(matches: (request: LoggedRequest) => boolean, deadlineMs?: number): Promise<LoggedRequest>;
  /** Lets one answer pass a gate: the one that waits longest, or else the next to arrive. */
  release(gate: string): void;
  /** Resolves when an answer waits at the gate. */
  reached(gate: string): Promise<void>;
  /** Stops listening, so that connections are refused until `listen`. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

const usualDeadline = 15_000;

/**
 * Starts a scripted model on loopback.
 *
 * @example
 * await using model = await startScriptedModel({ proof: await proofOf("claude"), cwd: folder });
 */
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
