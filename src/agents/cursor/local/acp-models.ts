/**
 * Models over ACP. Their ids carry every parameter, `gpt-5.5[context=272k,reasoning=medium]`, and Auto is `default[]`; people, and `agent
 * models`, say `gpt-5.5`, `gpt-5.5-high` or `auto`.
 */
import { record, records, text } from "../../../drivers/acp/read.ts";
import type { Wire } from "../../../drivers/acp/read.ts";

interface Listed {
  readonly id: string;
  readonly label: string;
}

interface Model {
  readonly id: string;
  readonly base: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const auto = "default[]";

/** Nothing where none is meant for sure. `current` is the one that the session began with, perhaps because it was named at the start. */
export function modelId(wanted: string, listed: readonly Listed[], current: string | undefined): string | undefined {
  const ids = [...new Set([...(current === undefined ? [] : [current]), ...listed.map(({ id }) => id)])];
  if (ids.includes(wanted)) return wanted;
  if (/^(?:auto|default)$/i.test(wanted)) return ids.find((id) => id === auto);
  const models = ids.map(read);
  return (
    models.find((model) => spellingsOf(wanted).some((spelling) => fits(model, spelling)))?.id ??
    listed.find(({ label }) => label.toLowerCase() === wanted.toLowerCase())?.id ??
    models.find(({ id, base }) => id === current && id !== auto && wanted.startsWith(`${base}-`))?.id
  );
}

/** The answer to `cursor/list_available_models`, whose shape was not the same in every release. */
export function modelsListed(result: Wire): Listed[] {
  return records(result["models"] ?? result["availableModels"]).flatMap((model) => {
    const id = text(model["value"]) ?? text(model["modelId"]) ?? text(model["id"]);
    return id === undefined ? [] : [{ id, label: text(model["name"]) ?? text(record(model["model"])["name"]) ?? id }];
  });
}

function read(id: string): Model {
  const [, base = id, inside = ""] = /^([^[]*)\[(.*)\]$/s.exec(id) ?? [];
  const pairs = inside.split(",").map((pair) => pair.split("="));
  return { id, base, parameters: new Map(pairs.map(([name = "", value = ""]) => [name.trim(), value.trim()])) };
}

type Spelling = Pick<Model, "base"> & {
  readonly wants: readonly (readonly [names: readonly string[], value: string])[];
};

const efforts: ReadonlySet<string> = new Set(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const effortNames = ["effort", "reasoning", "reasoning_effort"];

/** What a name may mean: as it stands, and with the words at its end as parameters. */
function spellingsOf(wanted: string): Spelling[] {
  const { base, parameters } = read(wanted);
  const given = [...parameters].filter(([name]) => name !== "").map(([name, value]) => [[name], value] as const);
  const spellings: Spelling[] = [{ base, wants: given }];
  let [rest, wants] = [base, [...given] as Spelling["wants"][number][]];
  for (;;) {
    const [, before, word = ""] = /^(.+)-([a-z]+)$/.exec(rest) ?? [];
    if (before === undefined) return spellings;
    if (efforts.has(word)) wants = [...wants, [effortNames, word]];
    else if (word === "fast" || word === "thinking") wants = [...wants, [[word], "true"]];
    else return spellings;
    rest = before;
    spellings.push({ base: rest, wants });
  }
}

function fits({ base, parameters }: Model, spelling: Spelling): boolean {
  if (base !== spelling.base) return false;
  return spelling.wants.every(([names, value]) => names.some((name) => parameters.get(name) === value));
}
