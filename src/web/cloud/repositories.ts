/** Repositories that a service may work on. Asked at most once a minute; a failure counts as an answer. */
import type { CloudRepositoriesAnswer } from "../../server/schemas/cloud.ts";
import { call } from "../state/server.ts";

const keptMs = 60_000;
const asked = new Map<string, { readonly at: number; readonly found: Promise<readonly string[]> }>();

export function repositoriesOf(agent: string, now = Date.now()): Promise<readonly string[]> {
  const known = asked.get(agent);
  if (known !== undefined && now - known.at < keptMs) return known.found;
  const path = `/api/cloud/${encodeURIComponent(agent)}/repositories`;
  const found = call<CloudRepositoriesAnswer>("GET", path).then(({ repositories }) => repositories);
  asked.set(agent, { at: now, found });
  return found;
}

const mostShown = 50;

/** The first repositories that contain the typed text. */
export function matchingRepositories(all: readonly string[], typed: string): readonly string[] {
  const words = typed.trim().toLowerCase();
  const found: string[] = [];
  for (const address of all) {
    if (found.length === mostShown) break;
    if (address.toLowerCase().includes(words)) found.push(address);
  }
  return found;
}
