/** Many readers of one stream of events that only note when each event arrived. */
import { WebSocket } from "ws";

export interface Reading extends Disposable {
  /** Resolves when every reader has received this many deltas. */
  untilAll(deltas: number): Promise<void>;
  /** Nanoseconds from the creation of a delta to its arrival, for every delta and every reader. */
  latencies(): Float64Array;
  /** How many events some reader missed or received twice. */
  readonly wrong: number;
}

interface Arrival {
  readonly at: bigint;
  readonly first: number;
  readonly last: number;
}

const mark = Buffer.from('"seq":');

export async function readers(count: number, url: string, headers: object, first?: unknown): Promise<Reading> {
  const arrivals: Arrival[][] = Array.from({ length: count }, () => []);
  /** Creation time by `seq`. One reader parses all events; the others only note where a frame begins and ends. */
  const made = new Map<number, bigint>();
  let wrong = 0;
  let news = (): void => {};
  const take = (reader: number, data: Buffer): void => {
    const at = process.hrtime.bigint();
    const start = data.indexOf(mark);
    if (start < 0) return;
    const arrival = { at, first: numberAt(data, start), last: numberAt(data, data.lastIndexOf(mark)) };
    if (arrival.first !== (arrivals[reader]!.at(-1)?.last ?? arrival.first - 1) + 1) wrong++;
    arrivals[reader]!.push(arrival);
    if (reader === 0) wrong += note(data, arrival, made);
    news();
  };
  const sockets = await Promise.all(
    arrivals.map(async (_own, reader) => {
      const socket = new WebSocket(url, { headers: { ...headers }, perMessageDeflate: false });
      socket.on("message", (data: Buffer) => take(reader, data));
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      if (first !== undefined) socket.send(JSON.stringify(first));
      return socket;
    }),
  );
  const lasts = (): number => Math.min(...arrivals.map((own) => own.at(-1)?.last ?? 0));
  return {
    get wrong() {
      return wrong;
    },
    untilAll: (deltas) =>
      new Promise((resolve) => {
        news = () => {
          const newest = made.size >= deltas ? [...made.keys()].at(-1)! : Number.POSITIVE_INFINITY;
          if (lasts() >= newest) resolve();
        };
        news();
      }),
    latencies: () => Float64Array.from(arrivals.flatMap((own) => own.flatMap((arrival) => [...waits(arrival, made)]))),
    [Symbol.dispose]: () => sockets.forEach((socket) => socket.terminate()),
  };
}

function numberAt(data: Buffer, at: number): number {
  return Number.parseInt(data.toString("latin1", at + mark.length, at + mark.length + 16), 10);
}

/** Returns how many events of a frame are out of place. */
function note(data: Buffer, { first, last }: Arrival, made: Map<number, bigint>): number {
  const { events } = JSON.parse(data.toString()) as { events: { seq: number; type: string; text?: string }[] };
  for (const { seq, type, text = "" } of events)
    if (type === "message.delta" && /^\d+$/.test(text)) made.set(seq, BigInt(text));
  return events.length === last - first + 1 ? 0 : 1;
}

function* waits({ at, first, last }: Arrival, made: ReadonlyMap<number, bigint>): Generator<number> {
  for (let seq = first; seq <= last; seq++) {
    const when = made.get(seq);
    if (when !== undefined) yield Number(at - when);
  }
}
