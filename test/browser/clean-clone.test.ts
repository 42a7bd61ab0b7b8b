/** The first steps after cloning the project: `npm start`, and the address it prints. `.ci/run` has run `npm ci`. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openBrowser, visit } from "./support/browser.ts";
import { button, permission, prompt, said } from "./support/parts.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function cloned(): string {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "reins-clone-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(place, "reins");
  execFileSync("git", ["clone", "-q", "--depth", "1", pathToFileURL(root).href, folder]);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(place, "home"));
  return folder;
}

/** Runs `npm start` as in a terminal, until Ctrl-C, which reaches every process of the group. */
async function started(folder: string): Promise<{ address: URL; printed: () => string }> {
  const home = join(folder, "..", "home");
  const child = spawn("npm", ["start", "--", "--port", "0"], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, REINS_HOME: join(home, "reins") },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const over = once(child, "close");
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
    await over;
  });
  let printed = "";
  const address = await new Promise<URL>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        const [found] = /^http:\S+#token=\S+$/m.exec(printed) ?? [];
        if (found !== undefined) resolve(new URL(found));
      });
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}: ${printed}`)));
  });
  return { address, printed: () => printed };
}

test("npm start builds the page and prints an address; there the demo agent edits a file after an approval", async () => {
  const folder = cloned();
  const { address, printed } = await started(folder);
  expect(printed()).toContain("Building the page ...");
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  await using somebody = await visit(browser, { url: address.origin, address: address.href });
  const { page, faults } = somebody;
  // Nothing has to be selected: a newcomer has only the demo agent.
  await button(page, /^Agent: Demo/).waitFor();
  await prompt(page).fill("Show me around");
  await button(page, "Start").click();
  await permission(page, /Write hello-from-reins\.md/).waitFor();
  expect(() => readFileSync(join(folder, "hello-from-reins.md"))).toThrow("ENOENT");
  await button(page, /^Allow once/).click();
  await said(page, "I was allowed to, so I added a line").waitFor();
  expect(readFileSync(join(folder, "hello-from-reins.md"), "utf8")).toContain("Hello from Reins");
  expect(faults).toEqual([]);
}, 180_000);
