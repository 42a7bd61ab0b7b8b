import { describe, expect, it } from "vitest";
import { asksToEdit } from "../../test/support/payloads.ts";
import type { EventPayload, ReinsEvent } from "../events/types.ts";
import { Denials } from "./follow-turn.ts";

const envelope = { v: 1, seq: 1, time: "2026-01-01T00:00:00.000Z", sessionId: "s", agent: "x" };
const resolved = { type: "permission.resolved", requestId: "r", outcome: "denied" } as const;

function follow(...payloads: EventPayload[]) {
  const denials = new Denials();
  const lines = payloads
    .map((payload) => denials.follow({ ...envelope, ...payload } as ReinsEvent))
    .filter((line) => line !== undefined);
  return { lines, decisive: denials.decisive };
}

describe("Denials", () => {
  it("says how to allow a call when nobody could be asked", () => {
    const { lines, decisive } = follow(asksToEdit, { ...resolved, by: "deadline" });
    expect(lines).toEqual([
      "Denied: Edit a. There is no terminal to ask at; `--mode edits` allows changes to files, `--mode full` allows everything.",
    ]);
    expect(decisive).toBe(true);
  });

  it("does not promise that the edits mode runs programs", () => {
    const { lines } = follow({ ...asksToEdit, tool: "shell", title: "Run x" }, { ...resolved, by: "deadline" });
    expect(lines).toEqual([
      "Denied: Run x. There is no terminal to ask at; a rule of your own can allow the command, `--mode full` allows everything.",
    ]);
  });

  it("does not offer a mode when a rule asks", () => {
    const asked = { ...asksToEdit, reason: "Asked by your rule: ask edit." };
    expect(follow(asked, { ...resolved, by: "deadline" }).lines).toEqual([
      "Denied: Edit a. There is no terminal to ask at; a rule asks about it, see `reins policy list`.",
    ]);
  });

  it("does not offer the mode that is already chosen", () => {
    const started: EventPayload = { type: "session.started", mode: "edits", cwd: "/w", resumed: false };
    const { lines } = follow(started, asksToEdit, { ...resolved, by: "deadline" });
    expect(lines).toEqual(["Denied: Edit a. There is no terminal to ask at; `--mode full` allows everything."]);
  });

  it("distinguishes a passed deadline from a missing terminal", () => {
    const { lines } = follow({ ...asksToEdit, deadline: "2026-01-01T00:05:00.000Z" }, { ...resolved, by: "deadline" });
    expect(lines[0]).toContain("There was no answer in time");
  });

  it("is decisive after a stop, but not after a no", () => {
    expect(follow(asksToEdit, { ...resolved, by: "person", stop: true })).toEqual({ lines: [], decisive: true });
    expect(follow(asksToEdit, { ...resolved, by: "person" })).toEqual({ lines: [], decisive: false });
  });
});
