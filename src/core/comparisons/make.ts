/** Creates a comparison: record, worktrees, sessions, prompt. When one agent cannot start, none does. */
import { randomBytes } from "node:crypto";
import { basename, join } from "node:path";
import type { Reins } from "../api.ts";
import { namesAgent } from "../config/config.ts";
import { ReinsError, errorInfo, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { repositoryAt, type Git, type Repository } from "./git.ts";
import { ownerNow, type ComparisonRecord, type EntryRecord, type Records } from "./record.ts";
import type { ComparedSession, ComparedSessions, NewComparison } from "./types.ts";
import { addWorktree } from "./worktree.ts";

export interface Wanted extends NewComparison {
  readonly widestMode?: Mode | undefined;
  /** Throws when the caller may not work in that repository. */
  readonly allow?: ((repository: Repository) => void) | undefined;
}

export interface Makers {
  readonly reins: Pick<Reins, "agent" | "agentFiles" | "agents" | "clouds" | "policy">;
  readonly sessions: ComparedSessions;
  readonly redact: (text: string) => string;
  readonly git: Git;
  readonly records: Records;
  readonly discard: (record: ComparisonRecord) => Promise<unknown>;
}

export async function makeComparison(makers: Makers, wanted: Wanted): Promise<string> {
  const { reins, git, records, redact, discard } = makers;
  const repository = await repositoryAt(git, wanted.cwd);
  wanted.allow?.(repository);
  await requireAgents(reins, wanted.cwd, wanted.entries);
  const text = typeof wanted.prompt === "string" ? wanted.prompt : wanted.prompt.text;
  const record = await recordOf(wanted, redact(text), repository, records.folder);
  const opened: ComparedSession[] = [];
  const { id } = record;
  try {
    records.put(record);
    const entries: EntryRecord[] = [];
    for (const entry of record.entries) entries.push(await addWorktree(git, record, entry));
    records.put({ ...record, entries });
    await openAll(makers, { ...record, entries }, { prefix: repository.prefix, widestMode: wanted.widestMode }, opened);
    const begun = entries.map((entry, index) => ({ ...entry, session: opened[index]!.id }));
    records.put({ ...record, phase: "made", entries: begun });
  } catch (thrown) {
    await Promise.allSettled(opened.map((session) => session.close()));
    await discard(record).catch(() => {});
    throw thrown;
  }
  const begun = opened.map((session, index) =>
    session.begin(wanted.prompt).catch((thrown: unknown) => {
      const { code, message, help } = errorInfo(toReinsError(thrown));
      records.change(id, index + 1, { error: { code, message, help } });
    }),
  );
  await Promise.all(begun);
  return id;
}

async function recordOf(
  wanted: Wanted,
  prompt: string,
  repository: Repository,
  folder: string,
): Promise<ComparisonRecord> {
  const { cwd, mode } = wanted;
  const { top, common, base, uncommitted } = repository;
  const id = randomBytes(5).toString("hex");
  const entries = wanted.entries.map((entry, index) => ({
    number: index + 1,
    ...entry,
    branch: `reins/compare-${id}-${index + 1}`,
    // Named like the repository, because users see this name.
    folder: join(folder, id, String(index + 1), basename(top) || "work"),
  }));
  const made = { createdAt: new Date().toISOString(), phase: "making", owner: await ownerNow() } as const;
  return { id, cwd, mode, prompt, ...made, base, uncommitted, top, common, entries };
}

async function openAll(
  { reins, sessions }: Makers,
  { cwd, mode, entries }: ComparisonRecord,
  { prefix, widestMode }: { readonly prefix: string; readonly widestMode: Mode | undefined },
  opened: ComparedSession[],
): Promise<void> {
  // Rules for the folder also apply in the worktree, which has another path.
  const listed = (await reins.policy({ cwd })).rules.filter(
    ({ source }) => source === "project" || source === "answer",
  );
  const rules = listed.map(({ rule }) => rule);
  const tried = await Promise.allSettled(
    entries.map(({ agent, model, folder }) =>
      sessions.open({
        ...{ agent, model, mode, widestMode, cwd: join(folder, prefix), fallback: [] },
        ...(rules.length > 0 && { rules }),
      }),
    ),
  );
  opened.push(...tried.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
  const refused = tried.find((one) => one.status === "rejected");
  if (refused !== undefined) throw refused.reason;
}

async function requireAgents(
  reins: Makers["reins"],
  cwd: string,
  entries: readonly { readonly agent: string }[],
): Promise<void> {
  const [statuses, clouds, files] = await Promise.all([reins.agents(), reins.clouds(), reins.agentFiles({ cwd })]);
  for (const id of new Set(entries.map(({ agent }) => agent))) {
    const status = statuses.find((one) => one.id === id);
    if (clouds.includes(id))
      throw new ReinsError("unsupported", `${status?.name ?? id} runs remotely and cannot work in a local worktree.`, {
        agent: id,
        help: "Compare agents that work on this machine.",
      });
    if (status === undefined) {
      // The call throws an error with a suggestion.
      if (namesAgent(id) && !files.some(({ name }) => name === id)) await reins.agent(id);
    } else if (!status.ready)
      throw new ReinsError(
        status.installed ? "not_authenticated" : "not_installed",
        `${status.name} is not ready, so no agent was started.`,
        { agent: id, ...(status.help !== undefined && { help: status.help }) },
      );
  }
}
