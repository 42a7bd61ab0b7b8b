/**
 * The webhook that the service calls when the status of an agent changes; only the older API has it. Only the body is
 * signed, not the id of the delivery or any other header, so a repeated call is recognised by its signature.
 */
import { createHmac } from "node:crypto";
import { parseJson } from "../../protocols/json.ts";
import type { ReceiveWebhook, WebhookAnswer } from "../shared/remote.ts";
import { isSameSecret } from "../shared/same-secret.ts";
import { branchesOf } from "./client-v0.ts";
import { secretVariable } from "./program.ts";
import type { Answer } from "./schemas.ts";
import { encodeState } from "./state.ts";

/** How far the clocks may differ. */
const aheadMs = 5 * 60_000;
/** The service repeats a call for a while. */
const lateMs = 24 * 60 * 60_000;
const remembered = 10_000;
const mostBytes = 1024 * 1024;

interface WebhookOptions {
  readonly secret: () => string | undefined;
  readonly now?: () => number;
}

export function webhookReceiver({ secret, now = Date.now }: WebhookOptions): ReceiveWebhook {
  /** Signatures of accepted calls, and when each would be too old anyway. */
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
    const signature = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
    const given = headers["x-webhook-signature"]?.trim().toLowerCase() ?? "";
    if (!isSameSecret(given, signature)) return refuse(401, "The signature is wrong.");
    const { schemas } = await import("./schemas.ts");
    const call = schemas.webhook.safeParse(parseJson(Buffer.from(body).toString("utf8"))).data;
    if (call === undefined) return refuse(400, "The call cannot be read.");
    const time = Date.parse(call.timestamp);
    if (Number.isNaN(time)) return refuse(400, "The call has no time.");
    if (time - now() > aheadMs) return refuse(400, "The call is from the future: the clocks are too far apart.");
    if (now() - time > lateMs) return refuse(400, "The call is too old.");
    if (!isNew(signature, time)) return { status: 200, message: "This call was already received." };
    if (call.event !== "statusChange") return { status: 200, message: `The event ${call.event} is unknown.` };
    return { status: 200, event: eventOf(call) };
  };
}

const statuses: Readonly<Record<string, "idle" | "failed">> = { FINISHED: "idle", ERROR: "failed" };

function eventOf(call: Answer<"webhook">): WebhookAnswer["event"] {
  const { id, timestamp: time, summary } = call;
  const status = statuses[call.status] ?? "unknown";
  return { id, state: encodeState({ agentId: id }), status, time, summary, branches: branchesOf(call) };
}

const refuse = (status: WebhookAnswer["status"], message: string): WebhookAnswer => ({ status, message });
