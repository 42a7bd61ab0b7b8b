/** Public: what tests of agents, and of programs that use agents, need. */
export {
  checkLaws,
  compareReplay,
  createLawChecker,
  neverThrows,
  type LawChecker,
  type LawOptions,
  type Violation,
} from "../events/laws.ts";
export { scenarioPrompt, type Item } from "./conversation.ts";
export { proofOf } from "./proofs.ts";
export type { LoggedRequest } from "./requests.ts";
export { parseScenarios, scenarioSchema, type Act, type Scenario, type Step } from "./scenario.ts";
export { standardScenarios } from "./scenarios/index.ts";
export { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./server.ts";
export { leftPids, standIn, standInKinds, type StandInKind, type StandInOptions } from "./stand-ins/stand-in.ts";
export { recordAgent, replayAgent } from "./wire/agents.ts";
export { recordWire, type RecordOptions } from "./wire/record.ts";
export { readRecording, type Recording, type WireEntry, type WireMeta } from "./wire/recording.ts";
export { replayWire, type ReplayedProcesses, type ReplayWireOptions } from "./wire/replay.ts";
