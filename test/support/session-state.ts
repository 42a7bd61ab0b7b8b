/** Session states for tests of the reducer, with rules that decide nothing. */
import type { Agent } from "../../src/agents/contract.ts";
import { Policy } from "../../src/core/policy/policy.ts";
import type { ActiveAgent } from "../../src/core/route/session-route.ts";
import type { Rules } from "../../src/core/session/inputs.ts";
import { initialState, type SessionState, type Settings } from "../../src/core/session/state.ts";
import { puppetCapabilities } from "./puppet.ts";
import type { Capabilities } from "../../src/events/capabilities.ts";

export function fakeActive(id = "puppet", capabilities: Partial<Capabilities> = {}): ActiveAgent {
  const agent = { id, name: "Puppet", capabilities: { ...puppetCapabilities, ...capabilities } } as Agent;
  const policy = new Policy({ rules: [], agent: id, scope: { cwd: "/w", home: "/h" } });
  return { name: id, agent, options: {}, ownModel: (name) => name, policy };
}

export function freshState(settings: Partial<Settings> = {}): SessionState {
  const active = settings.active ?? fakeActive();
  return initialState({
    settings: {
      model: undefined,
      confirmedMode: "ask",
      chosenMode: "ask",
      planApproved: false,
      people: {},
      ...settings,
      active,
    },
    conversation: { anyTurnDone: false, wasAway: false },
    startNotices: [],
    announce: undefined,
    idleSince: 0,
  });
}

export function fakeRules(rules: Partial<Rules> = {}): Rules {
  return {
    decide: () => ({ decision: "ask" }),
    afterFailure: () => ({ goesOn: false }),
    isTooSlow: () => false,
    subagentsOnly: () => false,
    followsTurns: false,
    deadlines: { permission: 1000, question: 1000, cancel: 1000 },
    now: () => 0,
    ...rules,
  };
}
