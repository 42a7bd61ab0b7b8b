/** Public entry `reins/testing`: for tests of agents, and of programs that use agents. See docs/testing.md. */
export {
  checkLaws,
  compareReplay,
  createLawChecker,
  neverThrows,
  type LawChecker,
  type LawOptions,
  type Violation,
} from "../events/laws.ts";
export { contract } from "./contract/index.ts";
export { expected } from "./contract/expected.ts";
export type { Row } from "./contract/compare.ts";
export { runContract, runScenario, type OpenPlace, type RunContractOptions } from "./contract/run.ts";
export { openLivePlace, type LivePlaceOptions } from "./contract/live-place.ts";
export type { CapabilityRow, ContractResult, ContractScenario, ContractState, Place, Play } from "./contract/types.ts";
export { scenarioPrompt, type Item } from "./conversation.ts";
export { prove, type ProveOptions, type ProveProgress, type ProveReport } from "./prove/index.ts";
export type { Drift } from "./prove/index.ts";
export { proofOf } from "./proofs.ts";
export type { LoggedRequest } from "./requests.ts";
export { parseScenarios, scenarioSchema, type Act, type Scenario, type Step } from "./scenario.ts";
export { standardScenarios } from "./scenarios.ts";
export { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./server.ts";
export { recordAgent, replayAgent } from "./wire/replay.ts";
export { recordWire, type RecordOptions } from "./wire/record.ts";
export { readRecording, type Recording, type WireEntry, type WireMeta } from "./wire/record.ts";
export { replayWire, type ReplayedProcesses, type ReplayWireOptions } from "./wire/replay.ts";
