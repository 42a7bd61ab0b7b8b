/** Messages of a stand-in on the stream-json wire: just enough for a driver to start and end a turn. */
import type { Reply } from "./behave.ts";

const session_id = "00000000-0000-4000-8000-000000000000";
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const text = "I am a stand-in.";

export const streamJsonReplies: readonly Reply[] = [
  {
    on: '"control_request"',
    print: [{ type: "control_response", response: { subtype: "success", request_id: "$id", response: {} } }],
  },
  {
    on: '"user"',
    turn: true,
    print: [
      {
        type: "system",
        subtype: "init",
        session_id,
        cwd: "/",
        tools: [],
        model: "stand-in",
        permissionMode: "default",
      },
      {
        type: "assistant",
        message: { id: "msg_1", role: "assistant", model: "stand-in", content: [{ type: "text", text }], usage },
        parent_tool_use_id: null,
        session_id,
      },
      {
        type: "result",
        subtype: "success",
        is_error: false,
        result: text,
        num_turns: 1,
        usage,
        total_cost_usd: 0,
        session_id,
      },
    ],
  },
];
