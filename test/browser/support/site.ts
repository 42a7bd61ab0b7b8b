/** A server of the built package, with a home, a folder to work in and a scripted model of its own. */
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

/** Where `dist` is; another folder while somebody is building this one. */
const built = process.env["REINS_TEST_BUILT"] ?? fileURLToPath(new URL("../../..", import.meta.url));
const starter = fileURLToPath(new URL("built.js", import.meta.url));

export interface SiteOptions {
  readonly scenarios?: readonly Scenario[];
  /** What the model does with a prompt that names no scenario. */
  readonly fallback?: string;
  /** Where all of it is, made anew; otherwise in a place of its own. */
  readonly place?: string;
  /** Files of the folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Sessions that are there before the server is. */
  readonly keep?: (store: Store, folder: string) => void;
  readonly env?: Readonly<Record<string, string>>;
}

export class Site implements AsyncDisposable {
  /** The folder to work in: a repository with one commit. */
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

  /** Where the page is, without the token. */
  get url(): string {
    return (this.#address as URL).origin;
  }

  /** What `reins serve` prints. */
  get address(): string {
    return (this.#address as URL).href;
  }

  /** For what a test arranges or looks up beside the page. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const token = new URLSearchParams((this.#address as URL).hash.slice(1)).get("token");
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as Answer;
  }

  /** The environment of this person's commands. */
  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  /** The words that run the command. */
  command(...args: readonly string[]): readonly string[] {
    return [process.execPath, starter, built, ...args];
  }

  /** What a command of this person prints, on either stream, in the order in which it is read. */
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

  /** Again on the same port, where it ran before: a page that was open finds it there. */
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

  /** Everything in the folder, as it is now. */
  commit(): void {
    commit(this.folder);
  }

  /** `SIGTERM` lets it end well, `SIGKILL` does not. */
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
  // The same commit has the same name each time.
  const then = { GIT_AUTHOR_DATE: "2026-11-01T12:00:00Z", GIT_COMMITTER_DATE: "2026-11-01T12:00:00Z" };
  const who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];
  execFileSync("git", [...who, ...args], { cwd: folder, env: { ...process.env, ...then } });
}

function commit(folder: string): void {
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "--allow-empty", "-m", "As it is");
}
