/** What can be known of a command line before it runs. */

export interface Word {
  /** Without its quotes; of one that is dynamic what can be seen of it. */
  readonly text: string;
  /** Known only when it runs: a variable, a substitution. */
  readonly dynamic: boolean;
  /** It may stand for names of files. */
  readonly glob: boolean;
}

/** A program and its arguments. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** It does nothing but start another one, which is here too: `nohup`, `bash -c`. */
  readonly carrier: boolean;
  /** It reads a file or a text that the line redirects to it. A pipe does not count. */
  readonly redirected: boolean;
}

export interface FileUse {
  readonly path: string;
  readonly op: "read" | "write";
}

export interface Reading {
  /** Every one that could be seen, also inside of others. */
  readonly commands: readonly SimpleCommand[];
  /** Files that redirections read and write. */
  readonly files: readonly FileUse[];
  /** More or other things may happen than can be seen. */
  readonly dynamic: boolean;
}

/** Where a command reads from, other than the terminal. */
export interface Input {
  /** The text of a here-document or here-string; undefined for a file or a pipe. */
  readonly text: string | undefined;
  readonly isPiped: boolean;
}

/** A simple command as it was written, before the commands that it starts are looked for. */
export interface Written {
  readonly words: readonly Word[];
  readonly input: Input | undefined;
}
