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

/** Here-documents: their text is what the command reads. */
export interface HereDocument {
  readonly delimiter: string;
  /** Nothing in it is expanded. */
  readonly quoted: boolean;
  readonly indented: boolean;
  body: string;
}

/** One simple command as it was written, before anybody looks for what it starts. */
export interface Written {
  readonly words: readonly Word[];
  /** It changes variables first. */
  readonly assigns: boolean;
  readonly document: HereDocument | undefined;
}
