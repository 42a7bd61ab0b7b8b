/** The action of a route after each cause of failure: the causes that every agent is tested with, end to end. */
import { describe, expect, it } from "vitest";
import { causes, type Cause, type CauseRow } from "../../src/agents/shared/failures/causes.ts";
import { errorTable, type ErrorCode } from "../../src/events/errors.ts";
import { cast, done, fails, of, says, turn } from "./support.ts";

/** `wait`: asks the same agent again when the reset is near, and the next agent otherwise. `none`: not a failure. */
const actions: Readonly<Record<Cause, "move" | "wait" | "stop" | "none">> = {
  "bad-request": "stop",
  unauthorized: "move",
  payment: "wait",
  "payment-body": "wait",
  forbidden: "move",
  "no-model": "move",
  "too-large": "move",
  context: "move",
  rate: "wait",
  quota: "wait",
  "quota-plain": "wait",
  "server-error": "wait",
  unavailable: "wait",
  "gateway-timeout": "wait",
  overloaded: "wait",
  garbage: "move",
  empty: "none",
  refused: "move",
  reset: "move",
  dns: "move",
  tls: "move",
  timeout: "move",
  "content-filter": "stop",
  "max-tokens": "none",
};

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

describe.each(Object.entries(causes) as [Cause, CauseRow][])("%s", (cause, { code, about }) => {
  const action = actions[cause];

  it.runIf(!isCode(code))("is not a failure, and the turn stays where it is", () => expect(action).toBe("none"));

  it.runIf(isCode(code)).each([
    ["near", () => new Date(Date.now() + 30).toISOString()],
    ["not told", () => undefined],
  ])(`(${about}) with a reset that is %s`, async (when, resetsAt) => {
    const { a, b, session } = cast();
    let asked = 0;
    a.onPrompt = (one) =>
      asked++ === 0 ? one.say(fails(code as ErrorCode, resetsAt())) : one.say(says("By a."), done);
    b.onPrompt = (one) => one.say(says("By b."), done);
    const events = await turn(await session(), "Do it.");
    const does = action === "wait" && when !== "near" ? "move" : action;
    const ended = {
      move: { outcome: "done", agent: "b", text: "By b." },
      wait: { outcome: "done", agent: "a", text: "By a." },
      stop: { outcome: "failed", agent: "a", error: { code } },
      none: {},
    };
    expect(events.at(-1)).toMatchObject(ended[does]);
    expect(of(events, "agent.switched")).toHaveLength(does === "move" ? 1 : 0);
  });
});
