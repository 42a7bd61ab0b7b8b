/** The frames of the WebSocket at `/ws`, each one JSON object. */
import { z } from "zod";
import type { ErrorAnswer } from "./common.ts";
import type { SessionSummary } from "./sessions.ts";
import type { ReinsEvent } from "../../events/types.ts";

const session = z.string().min(1).max(1_000);

export const clientFrame = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("hello"), token: z.string().max(1_000).optional() }),
  z.strictObject({ type: z.literal("watch"), session, after: z.number().int().min(0).optional() }),
  z.strictObject({ type: z.literal("unwatch"), session }),
  z.strictObject({ type: z.literal("watch-all") }),
  z.strictObject({
    type: z.literal("call"),
    id: z.union([z.string().max(200), z.number()]),
    method: z.enum(["GET", "POST", "PATCH", "DELETE"]),
    path: z.string().startsWith("/api/").max(8_192),
    body: z.unknown().optional(),
    /** Same meaning as the header `Idempotency-Key`. */
    key: z.string().max(200).optional(),
  }),
]);

export type ClientFrame = z.output<typeof clientFrame>;

export type ServerFrame =
  /** The client is authenticated. */
  | { readonly type: "ready" }
  | { readonly type: "events"; readonly session: string; readonly events: readonly ReinsEvent[] }
  /** The server stops: turns are ended, their last events follow, then the socket is closed. */
  | { readonly type: "stops" }
  /** A session in the list changed, after `watch-all`. */
  | { readonly type: "session"; readonly session: SessionSummary }
  | { readonly type: "removed"; readonly session: string }
  /** The session is no longer watched; watch it again from `after`. */
  | { readonly type: "cut"; readonly session: string; readonly reason: string; readonly after: number }
  | { readonly type: "answer"; readonly id: string | number; readonly status: number; readonly body: unknown }
  /** About a frame that was not understood, or a session that cannot be watched. */
  | ({ readonly type: "error"; readonly session?: string | undefined } & ErrorAnswer);
