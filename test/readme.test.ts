/** The README is short, its example is examples/quickstart.ts (which test/examples.test.ts runs), and its proofs and install commands exist. */
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createReins } from "../src/index.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../README.md");

it("shows examples/quickstart.ts in at most 15 lines", () => {
  const example = /```ts\n([\s\S]+?)```/.exec(readme)?.[1] ?? "";
  expect(example).toBe(read("../examples/quickstart.ts"));
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
});

it("has at most 450 words before its links", () => {
  const [front = ""] = readme.split("## Documentation");
  expect(front.length).toBeLessThan(readme.length);
  expect(front.match(/\S*[\p{L}\p{N}]\S*/gu)?.length).toBeLessThanOrEqual(450);
});

it("proves each of its six claims with a script or a test that exists", () => {
  const claims =
    readme
      .split("## What you get")[1]
      ?.split("## Agents")[0]
      ?.match(/^- .+(?:\n {2}.+)*/gm) ?? [];
  expect(claims).toHaveLength(6);
  const { scripts } = JSON.parse(read("../package.json")) as { scripts: Record<string, string> };
  for (const claim of claims.map((lines) => lines.replaceAll(/\s+/g, " "))) {
    const proof = /Proof: `(?:npm test|npm run (\S+)|npx reins doctor --prove)(?: -- (\S+))?`\.$/.exec(claim);
    const [, script = "test", path = "."] = proof ?? [];
    const exists = existsSync(new URL(`../${path}`, import.meta.url));
    expect({ claim, hasProof: proof !== null, exists }).toEqual({ claim, hasProof: true, exists: true });
    expect(scripts).toHaveProperty([script]);
  }
});

it("has the install command and the page of every agent", async () => {
  const reins = createReins({ guardian: false, env: {} });
  const agents = await reins.agents();
  await reins.close();
  const missing = agents
    .filter(({ builtIn, installed }) => builtIn !== true && !installed)
    .map(({ id, help = "" }) => ({ id, command: /^Install it with `([^`]+)`/.exec(help)?.[1] }))
    .filter(
      ({ id, command = "" }) =>
        !readme.includes(`docs/agents/${id}.md`) || !readme.includes(command.replaceAll("|", "\\|")),
    );
  expect(missing).toEqual([]);
  expect(agents.filter(({ help }) => help?.startsWith("Install it with `")).length).toBeGreaterThan(8);
});
