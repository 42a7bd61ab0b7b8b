import { describe, expect, it, test } from "vitest";
import { completeSlash, parseSlash, slashCommands, withoutEscapedSlash } from "./commands.ts";

const own = [{ name: "review", description: "Review\n\u001b[31mchanges" }, { name: "/status" }, { name: "plugin:go" }];

describe("parseSlash", () => {
  test.each([
    ["/model sonnet-4.5 ", "model", "sonnet-4.5"],
    ["/MODEL x", "model", "x"],
    ["/help", "help", ""],
    ["/compare fix it\nplease", "compare", "fix it\nplease"],
    ["/status", "status", ""],
  ])("%j is a command of Reins", (text, name, args) => {
    expect(parseSlash(text, { own })).toMatchObject({ kind: "command", command: { name }, args });
  });

  test.each([
    "",
    "/",
    "//",
    "hello",
    "/usr/bin",
    "/usr/bin is full",
    "/etc.conf",
    "\\/help",
    " /help",
    "a /help",
    "/1",
    "//nobody",
  ])("%j is plain text", (text) => {
    expect(parseSlash(text, { own })).toBeUndefined();
  });

  test.each([
    ["/review all of it", "review", "/review all of it"],
    ["//review x", "review", "/review x"],
    ["//status", "status", "/status"],
    ["/plugin:go", "plugin:go", "/plugin:go"],
  ])("%j goes to the agent", (text, name, sent) => {
    expect(parseSlash(text, { own })).toEqual({ kind: "agent", name, text: sent });
  });

  test.each([
    ["/modle x", "modle", "model"],
    ["/reviw", "reviw", "review"],
    ["/abracadabra", "abracadabra", undefined],
  ])("%j is unknown", (text, unknown, suggestion) => {
    expect(parseSlash(text, { own })).toEqual({ kind: "unknown", unknown, suggestion });
  });

  it("parses commands of the other interface, but completes only those of this one", () => {
    expect(parseSlash("/inline", { where: "page" })).toMatchObject({ kind: "command", command: { name: "inline" } });
    expect(completeSlash("/inl", { where: "page" }).map(({ name }) => name)).not.toContain("inline");
    expect(parseSlash("/inlin", { where: "page" })).toMatchObject({ kind: "unknown", suggestion: undefined });
  });
});

test("sends an escaped slash as a slash", () => {
  expect(withoutEscapedSlash("\\/help me")).toBe("/help me");
  expect(withoutEscapedSlash("a \\/help")).toBe("a \\/help");
});

describe("completeSlash", () => {
  const texts = (query: string, options = {}): string[] => completeSlash(query, options).map(({ text }) => text);

  it("lists everything for an empty query, in table order", () => {
    expect(texts("/")).toEqual(slashCommands.map(({ name }) => `/${name}`));
    expect(texts("")).toEqual(texts("/"));
  });

  it("ranks a prefix first, then a substring, then letters in order", () => {
    expect(texts("/mo")).toEqual(["/models", "/model", "/mode"]);
    expect(texts("/model")).toEqual(["/model", "/models"]);
    expect(texts("/log")).toEqual(["/login", "/logout"]);
    expect(texts("/hf")).toEqual(["/handoff"]);
    expect(texts("/tokens")).toEqual(["/usage"]);
    expect(texts("/zzz")).toEqual([]);
  });

  it("marks the agent's own commands, makes them printable and prefers Reins for a shared name", () => {
    const found = completeSlash("/", { own }).filter(({ whose }) => whose === "agent");
    expect(found.map(({ text, description }) => [text, description])).toEqual([
      ["/review", "Review changes"],
      ["//status", "The agent's own /status; /status is the command of Reins"],
      ["/plugin:go", ""],
    ]);
    expect(texts("//", { own })).toEqual(["//review", "//status", "//plugin:go"]);
  });

  it("leaves out terminal-only commands on the page", () => {
    expect(texts("/", { where: "page" })).not.toContain("/quit");
  });
});
