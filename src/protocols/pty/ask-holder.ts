/** Sends one question to the holder of a terminal, from a process that does not display the terminal. */
import { connect } from "node:net";
import { ReinsError } from "../../events/errors.ts";
import { parseJson, record } from "../json.ts";
import { frame, FrameReader, type FrameKind } from "./frames.ts";

export interface ScreenText {
  /** 0 before the program has started. */
  readonly columns: number;
  readonly rows: number;
  readonly lines: readonly string[];
}

const answerMs = 5_000;
/** Longer than the time that a program which ignores HUP and TERM is given. */
const endMs = 60_000;

export async function screenOf(socket: string): Promise<ScreenText> {
  const { columns, rows, lines } = record(parseJson((await ask(socket, "peek", "screen")).toString()));
  return { columns: Number(columns), rows: Number(rows), lines: Array.isArray(lines) ? lines.map(String) : [] };
}

/** Ends the program and everything it started; resolves when the holder has exited. */
export async function endTerminal(socket: string): Promise<void> {
  await ask(socket, "end");
}

/** Resolves with the first frame of kind `answer`, or without `answer` at the end of the connection. */
function ask(socket: string, question: FrameKind, answer?: FrameKind): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket);
    const reader = new FrameReader();
    const fail = (cause?: unknown): void => {
      connection.destroy();
      reject(new ReinsError("session_not_found", "The process that holds this terminal does not answer.", { cause }));
    };
    connection.setTimeout(answer === undefined ? endMs : answerMs, () => fail());
    connection.on("connect", () => connection.write(frame(question)));
    connection.on("error", fail);
    connection.on("data", (chunk) => {
      try {
        const found = reader.push(chunk).find(({ kind }) => kind === answer);
        if (found === undefined) return;
        connection.destroy();
        resolve(found.bytes);
      } catch (error) {
        fail(error);
      }
    });
    connection.on("close", () => (answer === undefined ? resolve(Buffer.alloc(0)) : fail()));
  });
}
