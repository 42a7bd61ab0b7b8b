/** A private tmux: one server, one session, one pane with a shell. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../support/processes.ts";

export interface TmuxOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

export class Tmux implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "reins-tmux-"));
  readonly #env: Readonly<Record<string, string>>;

  constructor({ cwd, env, columns = 80, rows = 24 }: TmuxOptions) {
    this.#env = { LANG: "C.UTF-8", ...env, TERM: "xterm-256color" };
    const size = ["-x", String(columns), "-y", String(rows)];
    // The shell that tmux starts commands with may set PS1 itself.
    const shell = "exec env PS1='shell$ ' /bin/bash --norc --noprofile -i";
    this.run("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, shell);
  }

  run(...args: readonly string[]): string {
    return execFileSync("tmux", ["-S", join(this.#folder, "socket"), ...args], {
      env: { ...this.#env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  type(text: string): void {
    this.run("send-keys", "-l", "--", text);
  }

  /** Presses keys by their tmux names, such as `Enter` or `C-x`. */
  press(...names: readonly string[]): void {
    this.run("send-keys", ...names);
  }

  screen(): string {
    return this.run("capture-pane", "-p").trimEnd();
  }

  /** All lines from the first line of the scrollback; wrapped rows are joined. */
  history(): string {
    return this.run("capture-pane", "-p", "-J", "-S", "-").trimEnd();
  }

  /** A variable of the pane's format, such as `alternate_on` or `cursor_flag`. */
  value(name: string): string {
    return this.run("display-message", "-p", `#{${name}}`).trim();
  }

  resize(columns: number, rows: number): void {
    this.run("resize-window", "-x", String(columns), "-y", String(rows));
  }

  async shows(words: string | RegExp): Promise<void> {
    const is = (): boolean => {
      const text = this.screen();
      return typeof words === "string" ? text.includes(words) : words.test(text);
    };
    await until(is, `${words} on the screen`, 60_000).catch((error: unknown) => {
      throw new Error(`${String(error)}; it shows:\n${this.screen()}`);
    });
  }

  [Symbol.dispose](): void {
    this.run("kill-server");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
