/** `npm run docs`: writes the pages that are made from code. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentsPage } from "./lib/agents-page.ts";
import { root } from "./lib/command.js";

writeFileSync(join(root, "docs", "agents.md"), await agentsPage());
console.log("docs/agents.md is written.");
