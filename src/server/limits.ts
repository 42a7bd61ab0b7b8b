/** How much of everything there may be. A test, or a small machine, names others. */
export interface ServerLimits {
  /** Connections at once; those above are told so and closed. */
  readonly connections: number;
  /** Streams of events and WebSockets at once. */
  readonly streams: number;
  /** WebSockets of who did not say yet who they are. */
  readonly strangers: number;
  /** Sessions held at once; above that the one that rested longest is closed, and taken up again by its next prompt. */
  readonly sessions: number;
  /** Sessions that one WebSocket watches, and calls of it that are not answered yet. */
  readonly watched: number;
  readonly calls: number;
  /** A reader waits while so much is on its way to it, and is cut off when that takes so long. */
  readonly fullBytes: number;
  readonly slowMs: number;
  /** How often a reader is told that the server is there, and asked whether it is. */
  readonly heartbeatMs: number;
  /** How long a connection may say nothing at all, and a WebSocket not who it is. */
  readonly helloMs: number;
  readonly uploadBytes: number;
  /** All uploads together, and how many. */
  readonly uploadsBytes: number;
  readonly uploads: number;
  /** How long an upload waits for its prompt, and how long it is there for its session. */
  readonly unusedUploadMs: number;
  readonly usedUploadMs: number;
  /** How long an answer may take once the server is told to stop. */
  readonly closeMs: number;
}

const second = 1_000;
const hour = 60 * 60 * second;
const megabyte = 1024 * 1024;

export const usualLimits: ServerLimits = {
  connections: 1_000,
  streams: 500,
  strangers: 50,
  sessions: 100,
  watched: 100,
  calls: 100,
  fullBytes: megabyte,
  slowMs: 20 * second,
  heartbeatMs: 15 * second,
  helloMs: 10 * second,
  uploadBytes: 20 * megabyte,
  uploadsBytes: 500 * megabyte,
  uploads: 1_000,
  unusedUploadMs: hour,
  usedUploadMs: 24 * hour,
  closeMs: 5 * second,
};

/**
 * How often it is looked whether a reader takes something. It is looks that are counted, not time: in each of them it could have, however busy
 * this process was.
 */
export const lookMs = 25;
