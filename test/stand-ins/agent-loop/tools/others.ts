/** Tools with a minimal default. A stand-in that has a client replaces it with a request to the client. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { listOf, textOf } from "../fields.ts";
import type { LoopTool } from "../types.ts";

export const todoTool: LoopTool = {
  name: "todo_write",
  description: "Keep a list of what is to be done.",
  required: ["todos"],
  optional: ["merge"],
  run: async (input) => ({ ok: true, text: "The list is kept.", facts: { todos: listOf(input["todos"]) } }),
};

/** Fails by default: there is nobody to answer. */
export const questionTool: LoopTool = {
  name: "ask_question",
  description: "Ask the person.",
  required: ["question"],
  optional: ["options"],
  run: async () => ({ ok: false, text: "Nobody answered." }),
};

export const planTool: LoopTool = {
  name: "create_plan",
  description: "Propose a plan.",
  required: ["plan"],
  run: async (input) => ({ ok: true, text: "The plan is kept.", facts: { plan: textOf(input["plan"]) } }),
};

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const imageTool: LoopTool = {
  name: "generate_image",
  description: "Make a picture.",
  required: ["description"],
  async run(_input, { cwd, call }) {
    const path = resolve(cwd, `image-${call.id.slice(-8)}.png`);
    await writeFile(path, Buffer.from(pixel, "base64"));
    return { ok: true, text: `The picture is in ${path}.`, facts: { path, imageData: pixel } };
  },
};
