/** Everything that the terminal interface needs from outside: `cli/commands/tui.ts` provides the host, `run.ts` the output. */
import type { Reins } from "../../core/api.ts";
import type { Mode } from "../../events/modes.ts";
import type { UiSettingKey, UiSettings } from "../../view/ui-settings.ts";

/** What the command line chose for the first session. */
export interface FirstSession {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly resume?: string | undefined;
  readonly fallback?: readonly string[] | undefined;
}

export interface TuiHost {
  /** Opened after the first frame, because opening the store takes longer than drawing. */
  readonly open: () => Promise<{
    readonly reins: Reins;
    /** Sessions go on after this interface quits. */ readonly served: boolean;
  }>;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly platform: { readonly os: string; readonly shell: string };
  readonly settings: UiSettings;
  readonly first: FirstSession;
  /** The files of a folder, without those that git ignores, in batches. */
  readonly listFiles: (cwd: string, signal: AbortSignal) => AsyncIterable<readonly string[]>;
  /** Runs a command line of the user in their shell, in the folder. */
  readonly runShell: (
    command: string,
    cwd: string,
    signal: AbortSignal,
  ) => Promise<{ readonly output: string; readonly exitCode: number }>;
  /** Runs a program that takes over the terminal, such as a sign-in. The screen is suspended meanwhile. Resolves with its exit code. */
  readonly runProgram: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<number>;
  /** Opens the text in $VISUAL or $EDITOR; undefined where there is none or it failed. */
  readonly editText: (text: string) => Promise<string | undefined>;
  readonly loadHistory: () => Promise<readonly string[]>;
  readonly addHistory: (text: string) => void;
  readonly saveSetting: (key: UiSettingKey, value: string | number | boolean) => Promise<void>;
  /** Writes an exported session; resolves with its path. */
  readonly saveFile: (name: string, text: string) => Promise<string>;
  readonly fileExists: (path: string) => boolean;
  /** The bytes of a file; undefined where it is none or has more bytes. */
  readonly readFile: (path: string, mostBytes: number) => Promise<Uint8Array | undefined>;
  readonly now: () => number;
}

/** The terminal, as far as the interface tells it what to do. */
export interface AppOutput {
  /** Something changed: a frame is needed. `now`: at once, because a key was pressed. */
  readonly changed: (now: boolean) => void;
  /** For a person who looks elsewhere. */
  readonly notify: (title: string, body: string) => void;
  readonly setTitle: (title: string) => void;
  readonly copy: (text: string) => void;
  readonly switchScreen: (screen: UiSettings["screen"]) => void;
  readonly setMouse: (on: boolean) => void;
  readonly setTheme: (theme: UiSettings["theme"]) => void;
  readonly suspend: () => void;
  readonly redraw: () => void;
  readonly quit: () => void;
}
