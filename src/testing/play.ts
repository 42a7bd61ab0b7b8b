/** Plays one step of a scenario to one request. */
import { setTimeout as sleep } from "node:timers/promises";
import type { AnswerWriter } from "./dialects/dialect.ts";
import type { Gates } from "./gates.ts";
import { cutIntoPieces, longText } from "./pieces.ts";
import type { ScriptedError } from "./scenario.ts";
import type { Cue, NativeAct } from "./script.ts";

export interface Stage {
  readonly writer: AnswerWriter;
  readonly gates: Gates;
  /** From 1: how often the same was asked. */
  readonly attempt: number;
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
  /** Answers with an HTTP error. */
  fail(error: ScriptedError): void;
  /** Ends the connection. */
  cut(): Promise<void>;
}

export type Ending = "answered" | "error" | "cut" | "hung" | "aborted";

export async function play(cue: Cue, stage: Stage): Promise<Ending> {
  let pieces: number | undefined;
  for (const act of cue.acts) {
    if (stage.gone.aborted) return "aborted";
    if ("pieces" in act) pieces = act.pieces;
    const ending = await perform(act, stage, pieces);
    if (ending) return ending;
  }
  if (stage.gone.aborted) return "aborted";
  const called = cue.acts.some((act) => "callNative" in act);
  await stage.writer.finish(cue.stop ?? (called ? "call" : "end"));
  return "answered";
}

/** An ending ends the answer early. */
async function perform(act: NativeAct, stage: Stage, pieces: number | undefined): Promise<Ending | undefined> {
  const { writer } = stage;
  if ("say" in act) for (const piece of cutIntoPieces(act.say, pieces)) await writer.text(piece);
  else if ("big" in act) for (const piece of cutIntoPieces(longText(Number(act.big)), pieces)) await writer.text(piece);
  else if ("think" in act) for (const piece of cutIntoPieces(act.think, pieces)) await writer.think(piece);
  else if ("callNative" in act) {
    const { input } = act.callNative;
    const spelled = typeof input === "string" ? input : JSON.stringify(input ?? {});
    await writer.call(act.callNative, cutIntoPieces(spelled, pieces));
  } else if ("pause" in act) await sleep(act.pause, undefined, { signal: stage.gone }).catch(() => undefined);
  else if ("gate" in act) await stage.gates.wait(act.gate, stage.gone);
  else if ("hang" in act) return "hung";
  else if ("error" in act && stillHappens(act.error, stage)) {
    stage.fail(act.error);
    return "error";
  } else if ("cut" in act && stillHappens(act.cut, stage)) {
    await stage.cut();
    return "cut";
  } else if ("midError" in act && stillHappens(act.midError, stage)) {
    if (await writer.midError(act.midError.type, act.midError.message)) return "error";
  }
  return undefined;
}

const stillHappens = (trouble: true | { readonly times?: number }, stage: Stage): boolean =>
  trouble === true || trouble.times === undefined || stage.attempt <= trouble.times;
