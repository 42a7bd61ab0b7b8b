/** Random lawful histories keep all laws. After one event is dropped, doubled, moved or changed, they break the named law. */
import { fc } from "../../test/support/fast-check.ts";
import { expect, it } from "vitest";
import { history, stamp } from "../../test/support/histories.ts";
import { checkLaws, createLawChecker, type LawNumber } from "./laws.ts";
import { reinsEventSchema } from "./schema/index.ts";
import type { EventOf, EventType, ReinsEvent } from "./types.ts";

it("lawful histories keep the laws and match the schemas", () => {
  fc.assert(
    fc.property(history, (events) => {
      for (const event of events) expect(reinsEventSchema.parse(event)).toEqual(event);
      expect(checkLaws(events)).toEqual([]);
    }),
  );
});

it("a history that was cut inside a turn is lawful only with the option open", () => {
  fc.assert(
    fc.property(history, fc.nat(), (events, at) => {
      const cut = events.slice(0, at % events.length);
      expect(checkLaws(cut, { open: true })).toEqual([]);
      const inTurn = cut.at(-1)?.turnId !== undefined && cut.at(-1)?.type !== "turn.completed";
      expect(checkLaws(cut).some(({ law }) => law === 1)).toBe(inTurn);
    }),
  );
});

it("the streaming checker finds the same violations as the list checker", () => {
  fc.assert(
    fc.property(history, fc.nat(), (events, at) => {
      const broken = stamp(events.toSpliced(at % events.length, 1));
      const checker = createLawChecker();
      const found = broken.flatMap((event) => checker.push(event));
      expect([...found, ...checker.end()]).toEqual(checkLaws(broken));
    }),
  );
});

interface Mutation {
  readonly law: LawNumber;
  readonly breaks: string;
  /** True where the mutation can be applied. */
  readonly at: (event: ReinsEvent, index: number, events: readonly ReinsEvent[]) => boolean;
  readonly mutate: (events: readonly ReinsEvent[], index: number) => ReinsEvent[];
}

const is =
  (...types: readonly EventType[]) =>
  (event: ReinsEvent): boolean =>
    types.includes(event.type);
const drop = (events: readonly ReinsEvent[], index: number): ReinsEvent[] => events.toSpliced(index, 1);
const double = (events: readonly ReinsEvent[], index: number): ReinsEvent[] =>
  events.toSpliced(index, 0, events[index] as ReinsEvent);
const swapNext = (events: readonly ReinsEvent[], index: number): ReinsEvent[] =>
  events.toSpliced(index, 2, events[index + 1] as ReinsEvent, events[index] as ReinsEvent);
const alter =
  <Type extends EventType>(change: (event: EventOf<Type>) => object) =>
  (events: readonly ReinsEvent[], index: number): ReinsEvent[] =>
    events.with(index, { ...events[index], ...change(events[index] as EventOf<Type>) } as ReinsEvent);

const ends = is("tool.completed", "tool.failed");
const requested = is("permission.requested", "question.requested");
const resolved = is("permission.resolved", "question.resolved");
const said = is("message.completed", "thought.completed");
const endsCall = (callId: string, next: ReinsEvent | undefined): boolean =>
  (next?.type === "tool.completed" || next?.type === "tool.failed") && next.callId === callId;
const resolves = (event: ReinsEvent, next: ReinsEvent | undefined): boolean =>
  next !== undefined &&
  resolved(next) &&
  "requestId" in event &&
  "requestId" in next &&
  event.requestId === next.requestId;
const idOf = (event: ReinsEvent | undefined): string | undefined =>
  event !== undefined && "messageId" in event ? event.messageId : undefined;
const streamed = (event: ReinsEvent, index: number, events: readonly ReinsEvent[]): boolean =>
  said(event) && events.slice(0, index).some((other) => idOf(other) === idOf(event));
const pieceOfWhole = (event: ReinsEvent, _index: number, events: readonly ReinsEvent[]): boolean =>
  (event.type === "message.delta" || event.type === "thought.delta") &&
  event.text !== "" &&
  events.some((other) => said(other) && idOf(other) === event.messageId);
const deltaPair = (event: ReinsEvent, index: number, events: readonly ReinsEvent[]): boolean => {
  const next = events[index + 1];
  if (!pieceOfWhole(event, index, events) || next === undefined || !pieceOfWhole(next, index + 1, events)) return false;
  const [a, b] = [event, next] as EventOf<"message.delta">[] as [EventOf<"message.delta">, EventOf<"message.delta">];
  return a.messageId === b.messageId && a.text + b.text !== b.text + a.text;
};
const onlyChange = (event: ReinsEvent, index: number, events: readonly ReinsEvent[]): boolean =>
  event.type === "file.changed" &&
  !events.some(
    (other, place) =>
      place !== index && other.type === "file.changed" && other.path === event.path && other.turnId === event.turnId,
  );

const mutations: readonly Mutation[] = [
  { law: 1, breaks: "no beginning", at: is("turn.started"), mutate: drop },
  { law: 1, breaks: "two beginnings", at: is("turn.started"), mutate: double },
  { law: 1, breaks: "no end", at: is("turn.completed"), mutate: drop },
  { law: 1, breaks: "two ends", at: is("turn.completed"), mutate: double },
  {
    law: 1,
    breaks: "something after the end",
    at: (_, index, events) => events[index + 1]?.type === "turn.completed",
    mutate: swapNext,
  },
  {
    law: 1,
    breaks: "an event without its turn",
    at: (event) => event.turnId !== undefined,
    mutate: alter(() => ({ turnId: undefined })),
  },
  {
    law: 1,
    breaks: "an error too many or too few",
    at: is("turn.completed"),
    mutate: alter<"turn.completed">(({ error }) => ({
      error: error ? undefined : { code: "network", message: "x", retryable: true },
    })),
  },
  { law: 2, breaks: "a call that never started", at: is("tool.started"), mutate: drop },
  { law: 2, breaks: "a call that started twice", at: is("tool.started"), mutate: double },
  { law: 2, breaks: "a call that never ended", at: ends, mutate: drop },
  { law: 2, breaks: "a call that ended twice", at: ends, mutate: double },
  {
    law: 2,
    breaks: "an end before the beginning",
    at: (event, index, events) => event.type === "tool.started" && endsCall(event.callId, events[index + 1]),
    mutate: swapNext,
  },
  {
    law: 2,
    breaks: "the number of calls",
    at: is("turn.completed"),
    mutate: alter<"turn.completed">(({ toolCalls }) => ({ toolCalls: toolCalls + 1 })),
  },
  {
    law: 2,
    breaks: "an unknown parent",
    at: is("tool.started", "message.completed"),
    mutate: alter(() => ({ parent: "nobody" })),
  },
  { law: 3, breaks: "an answer to nothing", at: requested, mutate: drop },
  { law: 3, breaks: "a request made twice", at: requested, mutate: double },
  { law: 3, breaks: "a request without an answer", at: resolved, mutate: drop },
  { law: 3, breaks: "two answers", at: resolved, mutate: double },
  {
    law: 3,
    breaks: "an answer before the request",
    at: (event, index, events) => requested(event) && resolves(event, events[index + 1]),
    mutate: swapNext,
  },
  {
    law: 3,
    breaks: "an option nobody offered",
    at: is("permission.resolved"),
    mutate: alter(() => ({ optionId: "maybe" })),
  },
  { law: 4, breaks: "a piece missing", at: pieceOfWhole, mutate: drop },
  { law: 4, breaks: "a piece twice", at: pieceOfWhole, mutate: double },
  { law: 4, breaks: "pieces in another order", at: deltaPair, mutate: swapNext },
  { law: 4, breaks: "a message that never ends", at: streamed, mutate: drop },
  {
    law: 4,
    breaks: "a message that ends twice",
    at: is("message.completed", "thought.completed", "message.discarded"),
    mutate: double,
  },
  {
    law: 4,
    breaks: "another text at the end",
    at: streamed,
    mutate: alter<"message.completed">(({ text }) => ({ text: `${text}!` })),
  },
  {
    law: 4,
    breaks: "another text of the turn",
    at: is("turn.completed"),
    mutate: alter<"turn.completed">(({ text }) => ({ text: `${text}!` })),
  },
  {
    law: 7,
    breaks: "a tool before the state",
    at: (event, index, events) =>
      event.type === "session.started" && event.state !== undefined && isToolNext(events.slice(index + 1)),
    mutate: alter(() => ({ state: undefined })),
  },
  {
    law: 8,
    breaks: "a negative amount",
    at: is("usage.updated"),
    mutate: alter(() => ({ tokens: { input: -1, output: 1 } })),
  },
  {
    law: 8,
    breaks: "usage that fell",
    at: is("usage.updated"),
    mutate: (events, index) =>
      double(events, index).with(index, {
        ...(events[index] as EventOf<"usage.updated">),
        tokens: { input: 1e9, output: 1e9 },
      }),
  },
  {
    law: 8,
    breaks: "turns that do not add up",
    at: (event, index, events) =>
      event.type === "turn.completed" && event.usage !== undefined && events.findIndex(is("turn.completed")) === index,
    mutate: alter<"turn.completed">(({ usage }) => ({ usage: { ...usage, output: (usage?.output ?? 0) + 1 } })),
  },
  { law: 9, breaks: "a change that was not told", at: onlyChange, mutate: drop },
  {
    law: 9,
    breaks: "a change nobody told",
    at: is("turn.completed"),
    mutate: alter<"turn.completed">(({ filesChanged }) => ({ filesChanged: [...filesChanged, "x"] })),
  },
];

function isToolNext(events: readonly ReinsEvent[]): boolean {
  const next = events.find(is("tool.started", "session.started", "session.updated"));
  return next?.type === "tool.started";
}

it.each(mutations)("law $law catches $breaks", ({ law, at, mutate }) => {
  fc.assert(
    fc.property(history, fc.nat(), (events, choice) => {
      const places = events.flatMap((event, index) => (at(event, index, events) ? [index] : []));
      fc.pre(places.length > 0);
      const broken = stamp(mutate(events, places[choice % places.length] as number));
      expect(checkLaws(broken).map((violation) => violation.law)).toContain(law);
    }),
    { numRuns: 25, maxSkipsPerRun: 500 },
  );
});

it.each([
  ["dropped", drop],
  ["doubled", double],
  ["swapped", swapNext],
] as const)("law 5 catches an event that is %s without renumbering", (_, mutate) => {
  fc.assert(
    fc.property(history, fc.nat(), (events, choice) => {
      const broken = mutate(events, choice % (events.length - 1));
      expect(checkLaws(broken).map((violation) => violation.law)).toContain(5);
    }),
  );
});
