import { expect, it } from "vitest";
import { choicesOf, routeOver } from "./configured-route.ts";

it("has a default for everything", () => {
  expect(choicesOf()).toEqual({ patience: 60_000, afterSideEffects: "handoff", briefingChars: 24_000 });
});

it("takes the call before the configuration", () => {
  const configured = { patience: 5, afterSideEffects: "stop", briefing: 1000 } as const;
  expect(choicesOf({}, configured)).toEqual({ patience: 5000, afterSideEffects: "stop", briefingChars: 1000 });
  expect(choicesOf({ patienceMs: 0, afterSideEffects: "handoff", briefingChars: 9 }, configured)).toEqual({
    patience: 0,
    afterSideEffects: "handoff",
    briefingChars: 9,
  });
});

it("takes the project before the person, but where the person stops, it stops", () => {
  expect(routeOver({ patience: 1, briefing: 600 }, { patience: 2 })).toMatchObject({ patience: 2, briefing: 600 });
  expect(routeOver({ afterSideEffects: "stop" }, { afterSideEffects: "handoff" })?.afterSideEffects).toBe("stop");
  expect(routeOver({ afterSideEffects: "handoff" }, { afterSideEffects: "stop" })?.afterSideEffects).toBe("stop");
  expect(routeOver(undefined, undefined)).toBeUndefined();
  expect(routeOver({}, { afterSideEffects: "handoff" })?.afterSideEffects).toBe("handoff");
});
