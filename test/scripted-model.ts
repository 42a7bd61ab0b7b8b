/**
 * The scripted model as a command: `node test/scripted-model.ts [--agent id] [--cwd folder] [--port n] [--scenarios file.json] [--fallback
 * scenario]`.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { toReinsError } from "../src/events/errors.ts";
import { proofOf } from "../src/testing/proofs.ts";
import { parseScenarios } from "../src/testing/scenario.ts";
import { startScriptedModel } from "../src/testing/server.ts";

const string = { type: "string" } as const;

async function serve(args: readonly string[]): Promise<void> {
  const options = { agent: string, cwd: string, port: string, scenarios: string, fallback: string };
  const { values } = parseArgs({ args: [...args], options });
  const scenarios = values.scenarios && parseScenarios(JSON.parse(await readFile(values.scenarios, "utf8")));
  const model = await startScriptedModel({
    scenarios: scenarios || [],
    proof: values.agent === undefined ? undefined : await proofOf(values.agent),
    cwd: values.cwd,
    fallback: values.fallback,
    port: values.port === undefined ? undefined : Number(values.port),
  });
  process.stdout.write(JSON.stringify({ port: model.port, url: model.url }) + "\n");
}

serve(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`${toReinsError(thrown).message}\n`);
  process.exitCode = 1;
});
