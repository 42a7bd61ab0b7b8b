/** Facts about a command line before it runs. */

export interface Word {
  /** Text without quotes. For a dynamic word, the visible part. */
  readonly text: string;
  /** True when the value is known only at run time: a variable or a substitution. */
  readonly dynamic: boolean;
  /** True when the word may expand to file names. */
  readonly glob: boolean;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  /** True when the command only starts another command, which is listed too: `nohup`, `bash -c`. */
  readonly carrier: boolean;
  /** True when the line redirects a file or a text to the command. A pipe does not count. */
  readonly redirected: boolean;
}

export interface FileUse {
  readonly path: string;
  readonly op: "read" | "write";
}

export interface Reading {
  /** Every visible command, including nested ones. */
  readonly commands: readonly SimpleCommand[];
  readonly files: readonly FileUse[];
  /** True when more or other things may happen than are visible. */
  readonly dynamic: boolean;
}

/** The input of a command, other than the terminal. */
export interface Input {
  /** Text of a here-document or here-string. Undefined for a file or a pipe. */
  readonly text: string | undefined;
  readonly isPiped: boolean;
}

/** A simple command as written, before looking for commands that it starts. */
export interface Written {
  readonly words: readonly Word[];
  readonly input: Input | undefined;
}
