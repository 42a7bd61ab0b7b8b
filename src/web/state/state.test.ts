import { describe, expect, test } from "vitest";
import { ReinsError } from "../../events/errors.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { parseRoute, sessionPath, tokenInAddress } from "./route.ts";
import { sentenceOf } from "./server.ts";
import { merged, without, withPage } from "./sessions.ts";
import { createStore } from "./store.ts";

describe("the token in the address", () => {
  test.each([
    ["#token=abc", { token: "abc", rest: "" }],
    ["#token=a%2Bb", { token: "a+b", rest: "" }],
    ["#/s/ses_1&token=abc", { token: "abc", rest: "#/s/ses_1" }],
    ["#token=abc&/usage", { token: "abc", rest: "#/usage" }],
    ["", undefined],
    ["#/s/token", undefined],
  ])("%s", (hash, found) => expect(tokenInAddress(hash)).toEqual(found));
});

describe("where the page is", () => {
  test.each([
    ["", []],
    ["#/", []],
    ["#/s/ses_1", ["s", "ses_1"]],
    ["#/s/a%2Fb", ["s", "a/b"]],
    ["#/s/%E0%A4%A", ["s", "%E0%A4%A"]],
  ])("%s", (hash, parts) => expect(parseRoute(hash).parts).toEqual(parts));
  test("with its query", () => expect(parseRoute("#/new?cwd=%2Fa%20b").query.get("cwd")).toBe("/a b"));
  test("and back", () => expect(parseRoute(`#${sessionPath("a/b")}`).parts).toEqual(["s", "a/b"]));
});

describe("the list of sessions", () => {
  const session = (id: string, updatedAt: string, lastSeq = 1): SessionSummary =>
    ({ id, updatedAt, lastSeq }) as SessionSummary;
  test("has the one used last first, and each once", () => {
    const list = merged([session("a", "2026-01-01"), session("b", "2026-01-02")], [session("a", "2026-01-03")]);
    expect(list.map(({ id, updatedAt }) => `${id} ${updatedAt}`)).toEqual(["a 2026-01-03", "b 2026-01-02"]);
    expect(without(list, "a").map(({ id }) => id)).toEqual(["b"]);
  });
  test("does not go back to what an answer that came late says", () => {
    const now = [session("a", "2026-01-02", 9)];
    expect(merged(now, [session("a", "2026-01-01", 5)])).toEqual(now);
  });
  test("keeps what was told while it was asked for, and only that", () => {
    const known = [session("told", "2026-01-04", 9), session("new", "2026-01-03"), session("removed", "2026-01-02")];
    const page = [session("told", "2026-01-04", 5), session("gone", "2026-01-01")];
    const list = withPage(known, page, { isFirst: true, told: new Set(["told", "new"]), gone: new Set(["gone"]) });
    expect(list).toEqual(known.slice(0, 2));
  });
});

test("a store tells those who follow it, and only when something changed", () => {
  const store = createStore(1);
  let told = 0;
  const stop = store.subscribe(() => told++);
  store.set(1);
  store.set(2);
  stop();
  store.set(3);
  expect([store.get(), told]).toEqual([3, 1]);
});

test("what went wrong is one sentence, and what to do next", () => {
  expect(sentenceOf(new ReinsError("session_busy", "Busy.", { help: "Wait." }))).toBe("Busy. Wait.");
  expect(sentenceOf(new ReinsError("internal", "No."))).toBe("No.");
  expect(sentenceOf(new ReinsError("permission_denied", "No.", { help: "Say `--root x`." }))).toBe("No. Say --root x.");
  expect(sentenceOf(new Error("x"))).toBe("x");
  expect(sentenceOf("y")).toBe("y");
});
