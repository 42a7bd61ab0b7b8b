/** A server of the built package with its own home, workspace and scripted model. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { proof } from "../../../src/agents/native/proof.ts";
import type { Store } from "../../../src/core/log/types.ts";
import { openStore } from "../../../src/store/index.ts";
import { startScriptedModel, type Scenario, type ScriptedModel } from "../../../src/testing/index.ts";

/** The folder that contains `dist`; set the variable to test another build while this one is being rebuilt. */
const built = process.env["REINS_TEST_BUILT"] ?? fileURLToPath(new URL("../../..", import.meta.url));
const starter = fileURLToPath(new URL("built.js", import.meta.url));

export interface SiteOptions {
  readonly scenarios?: readonly Scenario[];
  /** The scenario for a prompt that names none. */
  readonly fallback?: string;
  /** The folder for everything, created anew. Default: a temporary folder. */
  readonly place?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Stores sessions before the server starts. */
  readonly keep?: (store: Store, folder: string) => void;
  readonly env?: Readonly<Record<string, string>>;
}

export class Site implements AsyncDisposable {
  /** The workspace: a repository with one commit. */
  readonly folder: string;
  readonly model: ScriptedModel;
  readonly #root: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #address: URL | undefined;

  private constructor(root: string, folder: string, model: ScriptedModel, env: Readonly<Record<string, string>>) {
    this.#root = root;
    this.folder = folder;
    this.model = model;
    this.#env = env;
  }

  static async open({ scenarios, fallback, place, files, keep, env = {} }: SiteOptions = {}): Promise<Site> {
    if (place !== undefined) {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
    }
    const root = realpathSync(place ?? mkdtempSync(join(tmpdir(), "reins-browser-")));
    const [folder, home] = [join(root, "project"), join(root, "home")];
    mkdirSync(folder);
    mkdirSync(home);
    write(folder, { "README.md": "# A project\n\nhello from the project\n", ...files });
    git(folder, "init", "-q", "-b", "main");
    commit(folder);
    const model = await startScriptedModel({ proof, cwd: folder, scenarios, fallback });
    const site = new Site(root, folder, model, {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      REINS_HOME: join(home, "reins"),
      REINS_CURSOR_CLOUD_URL: "http://127.0.0.1:9",
      ...proof.env(model.url),
      ...env,
    });
    if (keep !== undefined) {
      using store = openStore({ env: site.#env });
      keep(store, folder);
    }
    await site.start();
    return site;
  }

  /** The page's address without the token. */
  get url(): string {
    return (this.#address as URL).origin;
  }

  /** The address that `reins serve` prints. */
  get address(): string {
    return (this.#address as URL).href;
  }

  /** Calls the API directly, to prepare or check something beside the page. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as Answer;
  }

  /** The token of the page. */
  get token(): string {
    return new URLSearchParams((this.#address as URL).hash.slice(1)).get("token") ?? "";
  }

  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  command(...args: readonly string[]): readonly string[] {
    return [process.execPath, starter, built, ...args];
  }

  /** Runs a command and returns its output, both streams in the order they were written. */
  printedBy(...args: readonly string[]): string {
    const path = join(this.#root, "printed.txt");
    const file = openSync(path, "w");
    try {
      const stdio = ["ignore", file, file] as const;
      execFileSync(process.execPath, [starter, built, ...args], {
        cwd: this.folder,
        env: this.#env,
        stdio: [...stdio],
      });
    } finally {
      closeSync(file);
    }
    return readFileSync(path, "utf8");
  }

  /** Starts the server; a restart uses the same port, so that an open page reconnects. */
  async start(): Promise<void> {
    const port = this.#address?.port ?? "0";
    const child = spawn(process.execPath, [starter, built, "serve", "--port", port, "--root", this.folder], {
      cwd: this.folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let printed = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
    this.#address = await new Promise<URL>((resolve, reject) => {
      let line = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        line += text;
        if (line.includes("\n")) resolve(new URL(line.trim()));
      });
      child.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${printed}`)));
    });
  }

  commit(): void {
    commit(this.folder);
  }

  /** `SIGTERM` lets the server shut down cleanly, `SIGKILL` does not. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.model.close();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function git(folder: string, ...args: string[]): void {
  // A fixed date gives the commit the same hash each time.
  const then = { GIT_AUTHOR_DATE: "2026-11-01T12:00:00Z", GIT_COMMITTER_DATE: "2026-11-01T12:00:00Z" };
  const who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];
  execFileSync("git", [...who, ...args], { cwd: folder, env: { ...process.env, ...then } });
}

function commit(folder: string): void {
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "--allow-empty", "-m", "As it is");
}
