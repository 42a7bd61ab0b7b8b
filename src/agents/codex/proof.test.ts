import { expect, test } from "vitest";
import { proof } from "./proof.ts";

test("points the agent at the scripted model with a made-up key", () => {
  const files = proof.files!("http://127.0.0.1:1");
  expect(files[".codex/config.toml"]).toContain('base_url = "http://127.0.0.1:1/v1"');
  expect(files[".codex/config.toml"]).toContain(`env_key = "${Object.keys(proof.env(""))[0]}"`);
});

test("spells calls as its model would make them", () => {
  expect(proof.toolCall({ tool: "write", path: "/w/a", text: "one\ntwo\n" })?.input).toBe(
    "*** Begin Patch\n*** Add File: /w/a\n+one\n+two\n*** End Patch\n",
  );
  expect(proof.toolCall({ tool: "read", path: "/w/it's" })?.input).toEqual({ cmd: `cat '/w/it'\\''s'` });
  expect(proof.toolCall({ tool: "mcp", server: "files", name: "look", input: { a: 1 } })).toEqual({
    name: "look",
    namespace: "mcp__files",
    input: { a: 1 },
  });
  expect(proof.toolCall({ tool: "plan", plan: "# P\n" })?.say).toContain("<proposed_plan>\n# P\n</proposed_plan>");
  // Codex cannot wait for a subagent in the same call, and edits whole lines only.
  expect(proof.toolCall({ tool: "task", prompt: "p", background: false })).toBeUndefined();
  expect(proof.toolCall({ tool: "edit", path: "/w/a", from: "a", to: "b" })).toBeUndefined();
});
