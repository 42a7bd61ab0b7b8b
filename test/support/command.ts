/** Runs the `reins` command as a person's shell would, in its own folder and without the settings of this machine's user. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

/** The command built for the tests, or the sources. */
const root = inject("builtCommand") ?? fileURLToPath(new URL("../..", import.meta.url));

export const bin: string = join(root, "bin", "reins.js");

const compiled = process.env["NODE_COMPILE_CACHE"];

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Piped to stdin; without it stdin is empty. */
  readonly input?: string | Buffer;
  readonly openInput?: boolean;
  readonly env?: Record<string, string>;
}

/** A new workspace and a new home, removed when the test is over. */
export class Place implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "reins-cli-"));
  readonly cwd: string = mkdtempSync(join(this.#root, "work-"));
  readonly home: string = mkdtempSync(join(this.#root, "home-"));

  get env(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.home,
      REINS_HOME: join(this.home, "reins"),
      // The loopback guard does not see requests of a child process: with a key and the default address it would call a real service.
      REINS_CURSOR_CLOUD_URL: "http://127.0.0.1:9",
      ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
    };
  }

  start(args: readonly string[], options: CommandOptions = {}) {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: this.cwd,
      env: { ...this.env, ...options.env },
      stdio: "pipe",
    });
    const printed = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
    // The command may exit before it has read its input.
    child.stdin.on("error", () => undefined);
    if (options.openInput !== true) child.stdin.end(options.input ?? "");
    return { child, printed };
  }

  /** The same in a terminal, which echoes typed text and turns Ctrl-C into a signal. Needs `script`. */
  startAtTerminal(args: readonly string[], env: Record<string, string> = {}) {
    const words = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    const child = spawn("/usr/bin/script", ["-qfec", `stty cols 80 rows 24; exec ${words.join(" ")}`, "/dev/null"], {
      cwd: this.cwd,
      env: { ...this.env, TERM: "xterm", SHELL: "/bin/sh", ...env },
      stdio: "pipe",
    });
    const screen = { text: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (screen.text += text));
    return { child, screen };
  }

  async run(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    const { child, printed } = this.start(args, options);
    const [code] = (await once(child, "close")) as [number | null];
    return { code, ...printed };
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Resolves as soon as the stream has printed a match. */
export async function waitFor(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<void> {
  let seen = "";
  for (;;) {
    const [text] = (await once(stream, "data")) as [string];
    seen += text;
    if (pattern.test(seen)) return;
  }
}
