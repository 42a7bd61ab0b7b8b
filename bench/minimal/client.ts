/** The interface of a minimal client and what it is started with. */

/** The command line with which Reins started the program; the minimal client starts it the same way. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface MinimalClient {
  /** Sends one prompt and resolves when the answer is complete. Rejects when the turn did not end well. */
  turn(prompt: string): Promise<void>;
  close(): Promise<void>;
}

export type Message = Readonly<Record<string, unknown>>;

export function inside(value: unknown): Message {
  return Object(value) as Message;
}
