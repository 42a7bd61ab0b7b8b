/** `npm run docs`: writes the generated pages and the schema of the configuration. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configurationJsonSchema } from "../src/core/config/config-schema.ts";
import { withMatrix } from "../test/support/failure-matrix.ts";
import { agentsPage } from "./lib/agents-page.ts";
import { commandsPage } from "./lib/commands-page.ts";
import { must, root } from "./lib/command.js";

const schema = join("docs", "reins.config.schema.json");
writeFileSync(join(root, "docs", "agents.md"), await agentsPage());
writeFileSync(join(root, "docs", "commands.md"), await commandsPage());
writeFileSync(join(root, schema), JSON.stringify(configurationJsonSchema()));
const errors = join(root, "docs", "errors.md");
writeFileSync(errors, withMatrix(readFileSync(errors, "utf8")));
await must("oxfmt", [schema]);
console.log(`Wrote docs/agents.md, docs/commands.md, docs/errors.md and ${schema}.`);
