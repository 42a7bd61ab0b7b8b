import { contractOf } from "../support/contract-of.ts";

await contractOf("claude-acp");
