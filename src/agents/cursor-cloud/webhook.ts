/**
 * What the service calls when the status of an agent changes. Only the older API has that. The signature is over the body alone: neither the id
 * of the delivery nor any other header is signed, so a call that came before is known by its body.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ReceiveWebhook, WebhookAnswer } from "../shared/remote.ts";
import { secretVariable } from "./program.ts";
import type { Answer } from "./schemas.ts";
import { encodeState } from "./state.ts";

/** How far the two clocks may be apart. */
const aheadMs = 5 * 60_000;
/** It is sent again for a while where nobody took it. */
const lateMs = 24 * 60 * 60_000;
/** How many are remembered, at most. */
const remembered = 10_000;
const mostBytes = 1024 * 1024;

export interface WebhookOptions {
  readonly secret: () => string | undefined;
  readonly now?: () => number;
}

export function webhookReceiver({ secret, now = Date.now }: WebhookOptions): ReceiveWebhook {
  /** The signatures of those that were taken, and when they are too late anyway. */
  const taken = new Map<string, number>();

  function isNew(signature: string, time: number): boolean {
    for (const [old, until] of taken) {
      if (until > now() && taken.size < remembered) break;
      taken.delete(old);
    }
    if (taken.has(signature)) return false;
    taken.set(signature, time + lateMs);
    return true;
  }

  return async ({ headers, body }) => {
    const key = secret();
    if (key === undefined || key === "") return refuse(503, `No secret is set: ${secretVariable}.`);
    if (body.byteLength > mostBytes) return refuse(413, "The call is too long.");
    const signature = signatureOf(key, body);
    if (!isSame(headers["x-webhook-signature"], signature)) return refuse(401, "The signature is not right.");
    const call = await read(body);
    if (call === undefined) return refuse(400, "The call cannot be read.");
    const time = Date.parse(call.timestamp);
    if (Number.isNaN(time)) return refuse(400, "The call has no time.");
    if (time - now() > aheadMs) return refuse(400, "The call is from the future: the clocks are too far apart.");
    if (now() - time > lateMs) return refuse(400, "The call is too old.");
    if (!isNew(signature, time)) return { status: 200, message: "It came before." };
    if (call.event !== "statusChange") return { status: 200, message: `Nothing is known of ${call.event}.` };
    return { status: 200, event: eventOf(call) };
  };
}

const signatureOf = (key: string, body: Uint8Array): string =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;

/** In a time that tells nothing about how much of it is right. */
function isSame(given: string | undefined, wanted: string): boolean {
  const [one, other] = [Buffer.from(given?.trim().toLowerCase() ?? ""), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function read(body: Uint8Array): Promise<Answer<"webhook"> | undefined> {
  const { schemas } = await import("./schemas.ts");
  try {
    const { data } = schemas.webhook.safeParse(JSON.parse(Buffer.from(body).toString("utf8")));
    return data;
  } catch {
    return undefined;
  }
}

const statuses: Readonly<Record<string, "idle" | "failed">> = { FINISHED: "idle", ERROR: "failed" };

function eventOf({ id, status, timestamp, summary, source, target }: Answer<"webhook">): WebhookAnswer["event"] {
  const pushed = target?.branchName !== undefined || target?.prUrl !== undefined;
  return {
    id,
    state: encodeState({ agentId: id }),
    status: statuses[status] ?? "unknown",
    time: timestamp,
    summary,
    branches: pushed
      ? [{ repository: source?.repository, branch: target?.branchName, pullRequest: target?.prUrl }]
      : [],
  };
}

const refuse = (status: WebhookAnswer["status"], message: string): WebhookAnswer => ({ status, message });
