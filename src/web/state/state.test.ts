import { describe, expect, test } from "vitest";
import { ReinsError } from "../../events/errors.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { parseRoute, sessionPath, tokenInAddress } from "./route.ts";
import { sentenceOf } from "./server.ts";
import { merged, without, withPage } from "./sessions.ts";
import { createStore } from "./store.ts";

describe("tokenInAddress", () => {
  test.each([
    ["#token=abc", { token: "abc", rest: "" }],
    ["#token=a%2Bb", { token: "a+b", rest: "" }],
    ["#/s/ses_1&token=abc", { token: "abc", rest: "#/s/ses_1" }],
    ["#token=abc&/usage", { token: "abc", rest: "#/usage" }],
    ["", undefined],
    ["#/s/token", undefined],
  ])("%s", (hash, found) => expect(tokenInAddress(hash)).toEqual(found));
});

describe("parseRoute", () => {
  test.each([
    ["", []],
    ["#/", []],
    ["#/s/ses_1", ["s", "ses_1"]],
    ["#/s/a%2Fb", ["s", "a/b"]],
    ["#/s/%E0%A4%A", ["s", "%E0%A4%A"]],
  ])("%s", (hash, parts) => expect(parseRoute(hash).parts).toEqual(parts));
  test("reads the query", () => expect(parseRoute("#/new?cwd=%2Fa%20b").query.get("cwd")).toBe("/a b"));
  test("reads back a session path", () => expect(parseRoute(`#${sessionPath("a/b")}`).parts).toEqual(["s", "a/b"]));
});

describe("session list", () => {
  const session = (id: string, updatedAt: string, lastSeq = 1): SessionSummary =>
    ({ id, updatedAt, lastSeq }) as SessionSummary;
  test("lists the last used session first, and each once", () => {
    const list = merged([session("a", "2026-01-01"), session("b", "2026-01-02")], [session("a", "2026-01-03")]);
    expect(list.map(({ id, updatedAt }) => `${id} ${updatedAt}`)).toEqual(["a 2026-01-03", "b 2026-01-02"]);
    expect(without(list, "a").map(({ id }) => id)).toEqual(["b"]);
  });
  test("ignores an answer that is older than the known entry", () => {
    const now = [session("a", "2026-01-02", 9)];
    expect(merged(now, [session("a", "2026-01-01", 5)])).toEqual(now);
  });
  test("keeps only sessions received while the page was loading", () => {
    const known = [session("told", "2026-01-04", 9), session("new", "2026-01-03"), session("removed", "2026-01-02")];
    const page = [session("told", "2026-01-04", 5), session("gone", "2026-01-01")];
    const list = withPage(known, page, { isFirst: true, told: new Set(["told", "new"]), gone: new Set(["gone"]) });
    expect(list).toEqual(known.slice(0, 2));
  });
});

test("notifies subscribers of a store only when the value changed", () => {
  const store = createStore(1);
  let told = 0;
  const stop = store.subscribe(() => told++);
  store.set(1);
  store.set(2);
  stop();
  store.set(3);
  expect([store.get(), told]).toEqual([3, 1]);
});

test("formats an error as one sentence and the next step", () => {
  expect(sentenceOf(new ReinsError("session_busy", "Busy.", { help: "Wait." }))).toBe("Busy. Wait.");
  expect(sentenceOf(new ReinsError("internal", "No."))).toBe("No.");
  expect(sentenceOf(new ReinsError("permission_denied", "No.", { help: "Say `--root x`." }))).toBe("No. Say --root x.");
  expect(sentenceOf(new Error("x"))).toBe("x");
  expect(sentenceOf("y")).toBe("y");
});
