/** Runs the first agent in docs/add-an-agent.md exactly as it is written there. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentModule } from "../src/agents/contract.ts";
import { createReins, type ReinsEvent } from "../src/index.ts";
import { Place } from "./support/command.ts";
import { expectLawful } from "./support/lawful.ts";

const page = readFileSync(new URL("../docs/add-an-agent.md", import.meta.url), "utf8");
const code = /```ts src\/agents\/gofer\/index\.ts\n([\s\S]+?)```/.exec(page)?.[1] ?? "";
const source = fileURLToPath(new URL("../src", import.meta.url));

const program = `#!${process.execPath}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const say = (message) => console.log(JSON.stringify(message));
  say({ type: "tool", id: "call", name: "read_file", input: { path: "notes.txt" } });
  say({ type: "tool_result", id: "call", text: "remember" });
  say({ type: "weather" });
  for (const text of ["You said ", JSON.parse(line).prompt]) say({ type: "text", id: "answer", text });
  say({ type: "end" });
});
`;

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

it("runs the agent of the documentation unchanged", async () => {
  const file = join(place.home, "gofer.ts");
  writeFileSync(file, code.replaceAll('"../../', `"${source}/`).replaceAll('"../', `"${source}/agents/`));
  const env = { ...place.env, PATH: `${place.home}:${place.env["PATH"]}` };
  const load = (): Promise<AgentModule> => import(/* @vite-ignore */ file) as Promise<AgentModule>;
  await using reins = createReins({ env, agents: [{ id: "gofer", name: "Gofer", load }] });
  expect(await reins.agent("gofer")).toMatchObject({ ready: false, installed: false });

  writeFileSync(join(place.home, "gofer"), program);
  chmodSync(join(place.home, "gofer"), 0o755);
  expect(await reins.agent("gofer")).toMatchObject({ ready: true, path: join(place.home, "gofer") });

  await using session = await reins.session({ agent: "gofer", cwd: place.cwd, mode: "full" });
  const events: ReinsEvent[] = [];
  for (const prompt of ["one", "two"]) {
    const turn = session.prompt(prompt);
    for await (const event of turn) events.push(event);
    expect(await turn.result).toMatchObject({ outcome: "done", text: `You said ${prompt}`, toolCalls: 1 });
  }
  expectLawful(events, { resumes: () => false });
  expect(events.find((event) => event.type === "tool.started")).toMatchObject({
    tool: "read",
    title: "Read notes.txt",
  });
  expect(events.find((event) => event.type === "notice")).toMatchObject({ code: "unparsed" });
});
