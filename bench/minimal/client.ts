/** What every minimal client is to the measurement, and what it is given. */

/** How Reins started the program: the minimal client starts it the same way. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface MinimalClient {
  /** One prompt, until its answer is whole. Rejects when that did not end well. */
  turn(prompt: string): Promise<void>;
  close(): Promise<void>;
}

export type Message = Readonly<Record<string, unknown>>;

export function inside(value: unknown): Message {
  return Object(value) as Message;
}
