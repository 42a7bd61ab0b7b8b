/** While an agent starts there is nothing else to do: what its first words need is compiled now, with words that nobody hears. */
import type { StamperOptions } from "./record/stamper.ts";
import { Recorder } from "./record/recorder.ts";

/** Until then the start itself needs this process. */
const laterMs = 8;
let isDone = false;

/** Once a process. */
export function rehearse({ redact, limits }: Pick<StamperOptions, "redact" | "limits">): void {
  if (isDone) return;
  isDone = true;
  setTimeout(() => {
    const recorder = new Recorder({ sessionId: "", redact, limits, put: () => "" });
    recorder.startLeg("", { mode: "ask", cwd: "/", resumed: false });
    recorder.startTurn("", { type: "turn.started", origin: "prompt", input: { text: "Hello" } });
    recorder.add({ type: "session.started", mode: "ask", cwd: "/", resumed: false });
    recorder.add({ type: "message.delta", messageId: "", text: "Hello, there. " });
    recorder.add({ type: "message.delta", messageId: "", text: "Hello." });
    recorder.take();
    recorder.endTurn({ outcome: "done" });
    recorder.take();
  }, laterMs).unref();
}
