/** The earlier API, v0: an agent has one run and is polled. Only this API has webhooks. */
import { createHmac, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { fieldsOf, textOf, type Fields } from "../agent-loop/index.ts";
import { gitOf, isWorking, type Agents } from "./agents.ts";
import { answer, Refusal, type Call } from "./answers.ts";
import { isNewer } from "./newer.ts";
import type { AgentRecord, RunRecord } from "./types.ts";

export function older(agents: Agents, call: Call, response: ServerResponse): void {
  const { method, path, body } = call;
  const [, , first = "", id = "", third = ""] = path.split("/").map(decodeURIComponent);
  const what = `${method} ${[first, id && "*", third].filter(Boolean).join("/")}`;
  const send = (value: object, status?: number): void => answer(response, call, value, status);
  const mine = agents.all.filter((agent) => !isNewer(agent));
  switch (what) {
    case "POST agents":
      return send(create(agents, body), 201);
    case "GET agents":
      return send({ agents: mine.map(shown) });
    case "GET me":
      return send({ apiKeyName: "made up", userEmail: "ada@example.com" });
    case "GET models":
      return send({ models: ["scripted-1", "scripted-2"] });
    case "GET repositories":
      return send({ repositories: [{ owner: "example", name: "one", repository: "https://github.com/example/one" }] });
  }
  const agent = mine.find((one) => one.id === id);
  if (agent === undefined) throw new Refusal(404, "There is no such agent.");
  switch (what) {
    case "GET agents/*":
      return send(shown(agent));
    case "DELETE agents/*":
      agents.all.splice(agents.all.indexOf(agent), 1);
      return send({ id });
    case "GET agents/*/conversation":
      return send({ id, messages: conversation(agent) });
    case "POST agents/*/followup":
      if (isWorking(agent)) throw new Refusal(409, "The agent is working.");
      refuseUnmeasured(body);
      agents.start(agent, body);
      return send({ id });
    case "POST agents/*/stop":
      agent.runs.at(-1)?.abort.abort();
      return send({ id });
    case "GET agents/*/artifacts":
      return send({ artifacts: [{ absolutePath: "/opt/cursor/artifacts/shot.png", sizeBytes: 3 }] });
  }
  throw new Refusal(404, "There is no such endpoint.");
}

function create(agents: Agents, body: Fields): object {
  const { repository, ref, prUrl } = fieldsOf(body["source"]);
  if (textOf(repository) === "" && textOf(prUrl) === "") throw new Refusal(400, "A repository is needed.");
  refuseUnmeasured(body);
  const secret = fieldsOf(body["webhook"])["secret"];
  if (secret !== undefined && textOf(secret).length < 32) throw new Refusal(400, "The secret is too short.");
  const agent = agents.create(`bc_${randomUUID().replaceAll("-", "")}`, body, [{ url: repository, startingRef: ref }]);
  agents.start(agent, body);
  return shown(agent);
}

/** This API requires an image's dimensions. */
function refuseUnmeasured(body: Fields): void {
  const { images } = fieldsOf(body["prompt"]);
  for (const image of Array.isArray(images) ? images : []) {
    const { width, height } = fieldsOf(fieldsOf(image)["dimension"]);
    if (!(Number(width) > 0 && Number(height) > 0)) throw new Refusal(400, "An image needs its dimension.");
  }
}

function shown(agent: AgentRecord): object {
  const { id, name, createdAt, asked, runs } = agent;
  const run = runs.at(-1);
  const { branch, prUrl } = pushed(agent);
  const status = run?.status === "CANCELLED" ? "FINISHED" : run?.status;
  const target = {
    url: `https://cursor.com/agents?id=${id}`,
    branchName: branch,
    ...(isWorking(agent) ? {} : { prUrl }),
  };
  return { id, name, status, source: asked["source"], target, summary: run?.result, createdAt };
}

function pushed(agent: AgentRecord): { branch: string; prUrl: string | undefined } {
  const { branches } = (gitOf(agent) ?? { branches: [] }) as { branches: { branch: string; prUrl?: string }[] };
  const named = textOf(fieldsOf(agent.asked["target"])["branchName"]);
  return { branch: named || (branches[0]?.branch ?? ""), prUrl: branches[0]?.prUrl };
}

function conversation({ messages }: AgentRecord): object[] {
  return messages.flatMap(({ role, content }, index) => {
    const text =
      typeof content === "string" ? content : (content ?? []).map((part) => ("text" in part ? part.text : "")).join("");
    const type = role === "user" ? "user_message" : "assistant_message";
    return (role === "user" || role === "assistant") && text !== "" ? [{ id: `msg_${index}`, type, text }] : [];
  });
}

/** Calls the agent's webhook after a change of status. Only on this machine. */
export async function callBack(agent: AgentRecord, run: RunRecord): Promise<void> {
  const { url, secret } = fieldsOf(agent.asked["webhook"]);
  const status = run.status === "ERROR" ? "ERROR" : "FINISHED";
  if (textOf(url) === "" || !["127.0.0.1", "localhost"].includes(new URL(textOf(url)).hostname)) return;
  const { branch, prUrl } = pushed(agent);
  const body = JSON.stringify({
    event: "statusChange",
    timestamp: new Date().toISOString(),
    id: agent.id,
    status,
    source: agent.asked["source"],
    target: { url: `https://cursor.com/agents?id=${agent.id}`, branchName: branch, prUrl },
    summary: run.result,
  });
  const signature = `sha256=${createHmac("sha256", textOf(secret)).update(body).digest("hex")}`;
  const headers = {
    "content-type": "application/json",
    "user-agent": "Cursor-Agent-Webhook/1.0",
    "x-webhook-event": "statusChange",
    "x-webhook-id": randomUUID(),
    "x-webhook-signature": signature,
  };
  await fetch(textOf(url), { method: "POST", body, headers }).catch(() => undefined);
}
