/** Everything that the terminal interface needs from outside: `cli/open-tui.ts` provides the host, `run.ts` the output. */
import type { Reins } from "../../core/api.ts";
import type { Mode } from "../../events/modes.ts";
import type { UiSettingKey, UiSettings } from "../../view/ui-settings.ts";

/** Command line options for the first session. */
export interface FirstSession {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly resume?: string | undefined;
  readonly fallback?: readonly string[] | undefined;
}

export interface TuiHost {
  /** Called after the first frame, because opening the store takes longer than drawing. */
  readonly open: () => Promise<{
    readonly reins: Reins;
    /** True when sessions continue after this interface quits. */ readonly served: boolean;
  }>;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly platform: { readonly os: string; readonly shell: string };
  readonly settings: UiSettings;
  readonly first: FirstSession;
  /** The files of a folder in batches, without those that git ignores. */
  readonly listFiles: (cwd: string, signal: AbortSignal) => AsyncIterable<readonly string[]>;
  /** Runs a command line of the user in their shell, in the folder. The signal stops it, with everything that it has started. */
  readonly runShell: (
    command: string,
    cwd: string,
    signal: AbortSignal,
  ) => Promise<{ readonly output: string; readonly exitCode: number; readonly stopped?: boolean }>;
  /** Runs a program that takes over the terminal, such as a sign-in, while the screen is suspended. Resolves with its exit code. */
  readonly runProgram: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<number>;
  /** Opens the text in $VISUAL or $EDITOR. Undefined when there is none or it failed. */
  readonly editText: (text: string) => Promise<string | undefined>;
  readonly loadHistory: () => Promise<readonly string[]>;
  readonly addHistory: (text: string) => void;
  readonly saveSetting: (key: UiSettingKey, value: string | number | boolean) => Promise<void>;
  /** Writes an exported session and resolves with its path. */
  readonly saveFile: (name: string, text: string) => Promise<string>;
  readonly fileExists: (path: string) => boolean;
  /** The bytes of a file. Undefined when it is no regular file or is larger. */
  readonly readFile: (path: string, mostBytes: number) => Promise<Uint8Array | undefined>;
  readonly now: () => number;
}

/** The operations of the terminal that the interface uses. */
export interface AppOutput {
  /** Requests a frame. `now` draws at once, because a key was pressed. */
  readonly changed: (now: boolean) => void;
  /** Notifies a person who looks elsewhere. */
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
