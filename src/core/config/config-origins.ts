/** Lists each effective setting and where it comes from. */
import { isDeepStrictEqual } from "node:util";
import { variableOf } from "../../agents/variable.ts";
import { uiDefaults } from "../../view/ui-settings.ts";
import type { Configuration, LoadedConfiguration } from "./config.ts";
import type { Environment } from "./config-files.ts";

export interface Setting {
  /** Nested keys with dots: `budget.day.usd`. */
  readonly key: string;
  readonly value: unknown;
  readonly from: "default" | "person" | "project" | "variable" | "flag";
  readonly where?: string | undefined;
  readonly ignored?: string | undefined;
}

export interface SettingSources {
  readonly loaded: LoadedConfiguration;
  readonly env: Environment;
  readonly agents: readonly string[];
  readonly flags: Pick<Configuration, "agent" | "model" | "mode">;
}

const defaults = { agent: null, model: null, mode: "ask", fallback: null, budget: null, after: null, continue: null };

export function settingsOf({ loaded, env, agents, flags }: SettingSources): readonly Setting[] {
  const { ignored, files, remarks: _remarks, ...rest } = loaded;
  const { projectsAfter: _after, projectsAgent: _agent, projectsFallback: _fallback, ...merged } = rest;
  const { policy: _rules, ...project } = files.project?.value ?? {};
  const said: Record<Exclude<Setting["from"], "default">, ReadonlyMap<string, unknown>> = {
    flag: flat(flags),
    variable: new Map(variablesOf(env, agents).map(([key, name]) => [key, env[name]])),
    project: flat(project),
    person: flat(files.person?.value ?? {}),
  };
  const where = (from: Setting["from"], key: string): string | undefined => {
    if (from === "variable") return variablesOf(env, agents).find(([known]) => known === key)?.[1];
    return from === "project" || from === "person" ? files[from]?.path : undefined;
  };
  const effective = new Map([...flat(merged), ...said.variable, ...said.flag]);
  const set = [...effective].map(([key, value]): Setting => {
    const whose = (["flag", "variable", "project", "person"] as const).find((one) =>
      isDeepStrictEqual(said[one].get(key), value),
    );
    // A value that no source set as it is, is a project's value after narrowing.
    const from = whose ?? "project";
    return { key, value: shown(key, value), from, where: where(from, key) };
  });
  const passedOver = [...said.project].filter(([key, value]) => !isDeepStrictEqual(flat(merged).get(key), value));
  return inOrder([
    ...set,
    ...unset(effective),
    ...(["person", "project"] as const).flatMap((from) =>
      (files[from]?.value.policy?.rules ?? []).map((value): Setting => ({
        key: "policy.rules",
        value,
        from,
        where: where(from, ""),
        ...(from === "project" &&
          value.decision === "allow" && { ignored: "A project's rule allows something; only you can do that." }),
      })),
    ),
    ...passedOver.map(([key, value]): Setting => {
      const why = ignored[key.split(".")[0] as keyof Configuration] ?? "Another value applies.";
      return { key, value: shown(key, value), from: "project", where: where("project", key), ignored: why };
    }),
  ]);
}

function unset(effective: ReadonlyMap<string, unknown>): readonly Setting[] {
  const keys = [...effective.keys()].map((key) => key.split(".")[0]);
  const missing = Object.entries(defaults).filter(([key]) => !keys.includes(key));
  const ui = [...flat(uiDefaults, "ui.")].filter(([key]) => !effective.has(key));
  return [...missing, ...ui].map(([key, value]) => ({ key, value, from: "default" }));
}

function inOrder(settings: readonly Setting[]): readonly Setting[] {
  const keys = Object.keys(defaults);
  const interfaces = [...flat(uiDefaults, "ui.").keys()];
  const rank = ({ key, ignored }: Setting): number => {
    const at = keys.indexOf(key.split(".")[0] ?? "");
    const last = keys.length + 1 + interfaces.indexOf(key);
    return (at === -1 ? last : at) + (ignored === undefined ? 0 : 0.5);
  };
  return settings.toSorted((a, b) => rank(a) - rank(b));
}

function variablesOf(env: Environment, agents: readonly string[]): readonly (readonly [key: string, name: string])[] {
  const known = [
    ["agent", "REINS_AGENT"],
    ["model", "REINS_MODEL"],
    ...agents.flatMap((id) => [
      [`agents.${id}.model`, variableOf(id, "MODEL")] as const,
      [`agents.${id}.command`, variableOf(id, "COMMAND")] as const,
    ]),
  ] as const;
  return known.filter(([, name]) => env[name]);
}

function shown(key: string, value: unknown): unknown {
  return /^agents\.[^.]+\.env\./.test(key) ? "(set)" : value;
}

function flat(value: object, above = ""): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const nested = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    if (nested) for (const [below, leaf] of flat(inner, `${above}${key}.`)) found.set(below, leaf);
    else if (inner !== undefined) found.set(`${above}${key}`, inner);
  }
  return found;
}
