/** What the parts of this driver agree on. */

export interface HttpOptions {
  /** Where everything is asked: `http://127.0.0.1:4096`. */
  readonly url: string;
  /** Sent with every request, such as `authorization`. They never stand in an error. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** The agent's name for people, in error messages. */
  readonly name: string;
  /** The agent's id, in errors. */
  readonly agent: string;
  /** Bytes of one answer, and of one line of a stream. */
  readonly maxBytes: number;
}

/** One event of a stream. */
export interface ServerEvent {
  /** What the stream calls it; `message` where it says nothing. */
  readonly type: string;
  readonly data: string;
  /** The last id that was told, of this event or of one before it. */
  readonly id: string;
}
