import { realpath } from "node:fs/promises";
import { agentEntries } from "../../agents/index.ts";
import { loadConfiguration } from "../../core/configuration.ts";
import { settingsOf } from "../../core/configuration-origins.ts";
import { withVariables } from "../../core/configured-agents.ts";
import { createRedactor } from "../../events/redact.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { folderFor } from "../opening.ts";
import { inFolder } from "../schemas/common.ts";
import * as schemas from "../schemas/settings.ts";

export function configurationRoutes(app: App, { env }: ServerContext): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/configuration",
      summary: "Each setting that counts, and where it comes from.",
      scope: "read",
      query: inFolder,
      answer: schemas.configurationAnswer,
    },
    async ({ query, principal }) => {
      const folder = folderFor(principal, query.cwd);
      const cwd = await realpath(folder).catch(() => {
        throw new HttpError(400, "invalid_input", `The folder ${folder} does not exist.`);
      });
      const loaded = await loadConfiguration(cwd, env);
      const { agents: configured = {} } = loaded;
      const agents = [...new Set([...agentEntries.map(({ id }) => id), ...Object.keys(configured)])];
      const redact = createRedactor(withVariables(env, configured));
      return { settings: redact.deep(settingsOf({ loaded, env, agents, flags: {} })), remarks: loaded.remarks };
    },
  );
}
