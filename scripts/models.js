/**
 * Writes src/agents/shared/model-list.generated.ts: prices and context sizes of models, from the list in pi-ai. The package is downloaded
 * for its data and removed again: as a dependency it would bring nine SDKs.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must, root } from "./lib/command.js";

const name = "@earendil-works/pi-ai";
const version = "0.87.1";

/** The makers of models, by the names used in the list. Resellers list the same models at other prices. */
const makers = "anthropic openai google xai deepseek mistral moonshotai zai minimax".split(" ");
/** Makers that are only listed under a reseller, which prefixes the model names with the maker's name. */
const soldBy = { openrouter: { qwen: "qwen" } };

const folder = mkdtempSync(join(tmpdir(), "reins-models-"));
try {
  const quiet = { cwd: folder, quiet: true };
  await must("npm", ["pack", "--silent", `${name}@${version}`], quiet);
  await must("tar", ["-xzf", readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? ""], quiet);
  const day = JSON.parse(await must("npm", ["view", `${name}@${version}`, "time", "--json", "--silent"], quiet))[
    version
  ];
  const models = await modelsOf(join(folder, "package", "dist", "providers"));
  const rows = models.map(([maker, id, ...figures]) => `${maker}/${id} ${figures.join(" ")}`).sort();
  writeFileSync(
    join(root, "src", "agents", "shared", "model-list.generated.ts"),
    `// Made by \`npm run models\` from ${name} ${version} (MIT). Not to be changed by hand.

/** The day of the list. */
export const listDay = "${day.slice(0, 10)}";

/** A model a line: input, output, cache read and cache write in US dollars for a million tokens (0: no price of its own), and how many tokens fit. */
export const listText = \`
${rows.join("\n")}
\`;
`,
  );
  console.log(`Wrote ${rows.length} models, dated ${day.slice(0, 10)}.`);
} finally {
  rmSync(folder, { recursive: true });
}

async function modelsOf(providers) {
  const listOf = async (provider) =>
    Object.values(Object.values(await import(join(providers, `${provider}.models.js`)))[0]);
  const found = [];
  for (const maker of makers) for (const model of await listOf(maker)) found.push(rowOf(maker, model.id, model));
  for (const [seller, named] of Object.entries(soldBy))
    for (const model of await listOf(seller)) {
      const [prefix, id] = model.id.split("/");
      if (Object.hasOwn(named, prefix) && !id.includes(":")) found.push(rowOf(named[prefix], id, model));
    }
  return found;
}

function rowOf(maker, id, { cost: { input, output, cacheRead, cacheWrite }, contextWindow }) {
  return [maker, id, input, output, cacheRead, cacheWrite, contextWindow];
}
