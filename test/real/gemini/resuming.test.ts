/** A conversation resumes from its state: in another process, at once, after a crash. */
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one, whole } from "../support/events.ts";
import { running } from "../support/left.ts";
import { realAgent } from "../support/real-agent.ts";
import { lastAsked } from "./support/requests.ts";

test("resumes in a new Reins within the same minute, twice, without repeating the earlier conversation", async () => {
  const real = await realAgent("gemini");
  const first = await real.session();
  await real.turn(first, scenarioPrompt("echo", "remember-me"));
  const { result } = await real.turn(first, scenarioPrompt("write", "x.txt"));
  await real.reins.close();
  let state = result.state;
  for (const word of ["second", "third"]) {
    const reins = real.another();
    const session = await real.session({ resume: state }, reins);
    const again = await real.turn(session, scenarioPrompt("echo", word));
    expect(again.result).toMatchObject({ outcome: "done", text: word, state: result.state });
    expect(lastAsked(real.model).contents).toContain("remember-me");
    expect(one(real.said(session), "session.started")).toMatchObject({ resumed: true, state: result.state });
    expect(all(real.said(session), "message.completed").map(({ text }) => text)).toEqual([word]);
    expect(all(real.said(session), "notice")).toEqual([]);
    state = again.result.state;
    await reins.close();
  }
  expect(lastAsked(real.model).contents).toContain("second");
});

test("resumes after a kill while a tool ran, and rejects an unknown conversation", async () => {
  const real = await realAgent("gemini");
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("long-shell"));
  await real.when(session, "tool.started");
  const agent = running(real.home).find(({ command }) => command.includes("--acp"))!;
  process.kill(agent.pid, "SIGKILL");
  const { result } = await whole(turn);
  expect(result).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
  const next = await real.turn(session, scenarioPrompt("echo", "still-here"));
  expect(next.result).toMatchObject({ outcome: "done", text: "still-here", state: result.state });
  expect(lastAsked(real.model).contents).toContain("scenario:long-shell");
  const unknown = `gemini:1:${Buffer.from("00000000-0000-4000-8000-000000000000").toString("base64url")}`;
  const resumed = real.reins.session({ agent: "gemini", cwd: real.cwd, resume: unknown });
  await expect(resumed).rejects.toMatchObject({ code: "session_not_found" });
});
