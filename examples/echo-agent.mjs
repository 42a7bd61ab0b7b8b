// A minimal agent that speaks the Agent Client Protocol on stdin and stdout. It answers every prompt with the prompt.
// The other examples start it; run by itself it waits for messages on stdin.
import { createInterface } from "node:readline";

const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));

const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  "session/new": () => ({ sessionId: crypto.randomUUID() }),
  "session/prompt": ({ sessionId, prompt }) => {
    const text = prompt.map((part) => part.text ?? "").join("");
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `You said: ${text}` } };
    send({ method: "session/update", params: { sessionId, update } });
    return { stopReason: "end_turn" };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return; // a notification, such as session/cancel, needs no answer
  if (methods[method]) send({ id, result: methods[method](params) });
  else send({ id, error: { code: -32601, message: `Unknown method ${method}` } });
});
