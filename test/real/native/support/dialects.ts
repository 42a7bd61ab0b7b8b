/** The agent over each of its wire protocols; its proof uses the first. */
import type { Proof } from "../../../../src/agents/contract.ts";
import { proofOf } from "../../../../src/testing/index.ts";

const first = await proofOf("native");

export const dialects: readonly Proof[] = [
  first,
  {
    ...first,
    speaks: "openai-chat",
    env: (url) => ({ OPENAI_API_KEY: "sk-made-up-for-a-scripted-model", OPENAI_BASE_URL: `${url}/v1` }),
    models: ["openai/gpt-5.5", "openai/gpt-6-luna"],
  },
  {
    ...first,
    speaks: "gemini",
    env: (url) => ({ GEMINI_API_KEY: "made-up-for-a-scripted-model", GOOGLE_GEMINI_BASE_URL: url }),
    models: ["google/gemini-2.5-pro", "google/gemini-2.5-flash"],
  },
];
