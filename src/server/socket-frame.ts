/** What came over a WebSocket, as one of the frames that are known. */
import { HttpError } from "./http-error.ts";
import { clientFrame } from "./schemas/socket.ts";
import type { ClientFrame } from "./schemas/socket.ts";

export function frameOf(data: Buffer, binary: boolean): ClientFrame {
  if (binary) throw new HttpError(400, "invalid_input", "Frames are text.");
  let value: unknown;
  try {
    value = JSON.parse(data.toString("utf8"));
  } catch {
    throw new HttpError(400, "invalid_input", "The frame is not JSON.");
  }
  const parsed = clientFrame.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, "invalid_input", "The frame is none that is known here.", {
    help: "docs/api.md lists them.",
  });
}
