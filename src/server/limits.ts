export interface ServerLimits {
  /** Connections at once; further ones get an error. */
  readonly connections: number;
  /** Streams of events and WebSockets at once. */
  readonly streams: number;
  /** WebSockets that are not authenticated yet. */
  readonly strangers: number;
  /** Sessions held at once. Above the limit, the session idle longest is closed; its next prompt resumes it. */
  readonly sessions: number;
  /** Per WebSocket: watched sessions, and calls without an answer yet. */
  readonly watched: number;
  readonly calls: number;
  /** A reader with this many unsent bytes gets no more, and is disconnected after `slowMs`. */
  readonly fullBytes: number;
  readonly slowMs: number;
  readonly heartbeatMs: number;
  /** How long a connection may be silent, and a WebSocket unauthenticated. */
  readonly helloMs: number;
  /** How long a terminal waits for its viewer after the connection was lost. */
  readonly lostViewerMs: number;
  readonly uploadBytes: number;
  /** Size and number of all uploads together. */
  readonly uploadsBytes: number;
  readonly uploads: number;
  /** How long an upload is kept before and after its prompt. */
  readonly unusedUploadMs: number;
  readonly usedUploadMs: number;
  /** How long an answer may take once the server stops. */
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
  lostViewerMs: 30 * second,
  uploadBytes: 20 * megabyte,
  uploadsBytes: 500 * megabyte,
  uploads: 1_000,
  unusedUploadMs: hour,
  usedUploadMs: 24 * hour,
  closeMs: 5 * second,
};

/** How often a slow reader is checked. Checks are counted instead of time, so that a busy server does not blame its readers. */
export const lookMs = 25;
