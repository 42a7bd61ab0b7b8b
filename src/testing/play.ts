/** Plays one step of a scenario as the answer to one request. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Gates } from "./barriers.ts";
import type { AnswerWriter } from "./dialects/dialect.ts";
import type { ScriptedError, ScriptedPage } from "./scenario.ts";
import type { Cue, NativeAct } from "./script.ts";

export interface Stage {
  readonly writer: AnswerWriter;
  readonly gates: Gates;
  /** How often the same request was sent, counted from 1. */
  readonly attempt: number;
  readonly gone: AbortSignal;
  fail(error: ScriptedError): void;
  /** Answers with a page that no model service sends. */
  show(page: ScriptedPage): void;
  reset(): void;
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
  } else if ("page" in act) {
    stage.show(act.page);
    return "error";
  } else if ("reset" in act) {
    stage.reset();
    return "cut";
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

const usualPiece = 12;
const mostPieces = 50;

/** Filler text without repeated pieces, because some agents drop a repeated piece as a duplicate. */
export function longText(length: number): string {
  let text = "";
  for (let word = 0; text.length < length; word++) text += `${word} `;
  return text.slice(0, length);
}

/** Cuts text for streaming, never inside a character. The joined pieces are the text. */
function cutIntoPieces(text: string, wanted?: number): string[] {
  const count = wanted ?? Math.min(mostPieces, Math.ceil(text.length / usualPiece));
  const size = Math.max(1, Math.ceil(text.length / count));
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + size);
    if (to < text.length && isLowSurrogate(text.charCodeAt(to))) to++;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
