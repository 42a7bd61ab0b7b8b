/** How turns of the toy agent end: cancelled at every stage, failed in every way, while another turn runs. */
import { expect, test } from "vitest";
import type { ReinsEvent, Session } from "../../src/index.ts";
import { everything, turn, withToy } from "../support/toy.ts";

async function cancelAt(session: Session, prompt: string, type: ReinsEvent["type"]): Promise<ReinsEvent[]> {
  const events: ReinsEvent[] = [];
  const running = session.prompt(prompt);
  for await (const event of running) {
    events.push(event);
    if (event.type === type) void running.cancel();
  }
  return events;
}

test("cancels while the agent streams text, and takes another prompt", async () => {
  const toy = await (await withToy()).session();
  const events = await cancelAt(toy, "say working; wait; say never", "message.delta");
  expect(events.at(-1)).toMatchObject({ type: "turn.completed", outcome: "cancelled", text: "working" });
  expect((await turn(toy, "recall")).at(-1)).toMatchObject({ outcome: "done", text: "2 prompts" });
  await everything(toy);
});

test("cancels while a tool runs", async () => {
  const toy = await (await withToy()).session();
  const events = await cancelAt(toy, "read x; wait", "tool.completed");
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled", toolCalls: 1 });
  await everything(toy);
});

test("cancels a pending permission and tells the agent so", async () => {
  const toy = await (await withToy()).session({ attended: true });
  const events = await cancelAt(toy, "run x; say never", "permission.requested");
  expect(events.find(({ type }) => type === "permission.resolved")).toMatchObject({
    outcome: "cancelled",
    by: "cancel",
  });
  expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({ reason: "cancelled" });
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  await everything(toy);
});

test("cancels a pending question", async () => {
  const toy = await (await withToy()).session({ attended: true });
  const events = await cancelAt(toy, "question; wait", "question.requested");
  expect(events.find(({ type }) => type === "question.resolved")).toMatchObject({ outcome: "cancelled", by: "cancel" });
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
  await everything(toy);
});

test("ignores a cancel when no turn runs", async () => {
  const toy = await (await withToy()).session();
  await toy.cancel();
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  await everything(toy);
});

test("stops an agent that ignores a cancel, and resumes the session from its state", async () => {
  const toy = await (await withToy(["--mute-cancel"], { deadlines: { cancel: 50 } })).session();
  const events = await cancelAt(toy, "say working; forever", "message.delta");
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
  expect((await turn(toy, "recall")).at(-1)).toMatchObject({ outcome: "done", text: "2 prompts" });
  await everything(toy);
});

test("refuses a second prompt while a turn runs, or queues it on request", async () => {
  const toy = await (await withToy()).session();
  const first = toy.prompt("wait");
  await expect(toy.prompt("say no").result).rejects.toMatchObject({ code: "session_busy" });
  const second = toy.prompt("say later", { whenBusy: "queue" });
  await first.cancel();
  expect(await second.result).toMatchObject({ outcome: "done", text: "later" });
  await everything(toy);
});

test("fails the turn of an agent that dies, and resumes with a new process", async () => {
  const toy = await (await withToy()).session();
  await turn(toy, "say a");
  const events = await turn(toy, "say b; read x; die");
  expect(events.at(-1)).toMatchObject({
    outcome: "failed",
    error: { code: "agent_crashed", message: "Toy ended with exit code 7: the toy broke", agent: "toy" },
  });
  expect(events.find(({ type }) => type === "process.exited")).toMatchObject({
    code: 7,
    stderrTail: "the toy broke\n",
  });
  expect((await turn(toy, "recall")).at(-1)).toMatchObject({ outcome: "done", text: "3 prompts" });
  const all = await everything(toy);
  expect(all.filter(({ type }) => type === "session.started")).toMatchObject([{ resumed: false }, { resumed: true }]);
});

test("maps every stop reason and error to an outcome, and stays usable after each", async () => {
  const toy = await (await withToy()).session();
  const ways = [
    ["stop end_turn", "done"],
    ["stop max_tokens", "max_tokens"],
    ["stop max_turn_requests", "max_turns"],
    ["stop refusal", "refused", "refused"],
    ["stop something_new", "done"],
    ["error -32000 Authentication required", "failed", "not_authenticated"],
    ["error -32603 Internal error: API Error: 429 slow down", "failed", "rate_limited"],
    ["error 401 no", "failed", "not_authenticated"],
    ["error -32800 Request cancelled", "cancelled"],
    ["error -32603 Something odd", "failed", "agent_error"],
    ["say hi", "done"],
  ] as const;
  for (const [prompt, outcome, code] of ways) {
    const ended = (await turn(toy, prompt)).at(-1);
    expect({ prompt, ...ended }).toMatchObject({ prompt, outcome, ...(code !== undefined && { error: { code } }) });
  }
  await everything(toy);
});
