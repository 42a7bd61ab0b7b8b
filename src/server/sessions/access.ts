/** Opens and resumes sessions within the caller's permissions. */
import { realpath } from "node:fs/promises";
import {
  requireAgent,
  requireAllowed,
  requireInside,
  requirePromptable,
  widestFor,
  type Principal,
} from "../access/principal.ts";
import { namesAgent } from "../../core/config/config.ts";
import { sessionFor, type ServerContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { HeldSession } from "./held-session.ts";
import type { SessionOptionsBody } from "../schemas/session-options.ts";
import type { SessionSummary } from "../schemas/sessions.ts";

/** Resumes a session for a prompt, which may start an agent that is a command. */
export async function resumed(
  server: ServerContext,
  principal: Principal,
  session: SessionSummary,
): Promise<HeldSession> {
  if (session.agent !== undefined) requireAgent(principal, session.agent);
  return promptable(principal, await server.open.resume(session.id, widestFor(principal)));
}

/** Without the scope `approve`, prompts are allowed only in sessions that ask for permissions. */
export function promptable(principal: Principal, held: HeldSession): HeldSession {
  requirePromptable(principal, { ...held.widened, mode: held.session.mode });
  return held;
}

export async function opened(
  server: ServerContext,
  principal: Principal,
  body: SessionOptionsBody,
): Promise<{ readonly held: HeldSession; readonly joined: boolean }> {
  const { kept, options } = await allowedOptions(server, principal, body);
  const { handoff, fork, mode, model, rules, tools, allowUnenforced } = options;
  if (kept === undefined || !kept.open || fork === true) {
    const held = await server.open.create(options);
    held.widened = { rules, tools, allowUnenforced };
    return { held, joined: false };
  }
  const held = promptable(principal, await server.open.resume(kept.id, widestFor(principal)));
  if (handoff !== undefined) await held.session.handoff({ to: handoff });
  if (mode !== undefined || model !== undefined) await configure(held, { model, mode });
  return { held, joined: true };
}

export async function configure(
  { session }: HeldSession,
  { model, mode }: Pick<SessionOptionsBody, "model" | "mode">,
): Promise<void> {
  await session.configure({ ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) });
}

/** Checks and completes the options: folder and session must be in the roots, and the caller may start the program. */
export async function allowedOptions(
  server: ServerContext,
  principal: Principal,
  body: SessionOptionsBody,
): Promise<{ readonly options: SessionOptionsBody; readonly kept: SessionSummary | undefined }> {
  requireAllowed(principal, body);
  const { resume } = body;
  const widest = widestFor(principal, body.widestMode);
  const name =
    resume === "last"
      ? await lastIn(server, folderFor(principal, body.cwd))
      : await keptName(server, resume, body.agent);
  if (name?.startsWith("ses_") !== true)
    return { options: { ...body, ...widest, cwd: folderFor(principal, body.cwd) }, kept: undefined };
  const kept = await sessionFor(server, principal, name);
  if (kept.agent !== undefined && body.handoff === undefined) requireAgent(principal, kept.agent);
  return { options: { ...body, ...widest, resume: kept.id }, kept };
}

/** Returns the id of the stored session that a state belongs to, which may be open here; returns an unknown state unchanged. */
async function keptName(
  { reins }: ServerContext,
  resume: string | undefined,
  agent: string | undefined,
): Promise<string | undefined> {
  if (resume === undefined || resume.startsWith("ses_")) return resume;
  const find = (name: string) =>
    reins.sessions.get(name).then(
      ({ id }) => id,
      () => undefined,
    );
  const kept = await find(resume);
  if (kept !== undefined || agent === undefined || !namesAgent(agent)) return kept ?? resume;
  // While a cloud agent runs, its state changes with each event.
  const { cloud } = await reins.manage(agent);
  const id = await Promise.resolve(resume)
    .then((state) => cloud?.idOf(state))
    .catch(() => undefined);
  return (id === undefined ? undefined : await find(id)) ?? resume;
}

export function folderFor(principal: Principal, cwd = process.cwd()): string {
  requireInside(principal, cwd, "folder");
  return cwd;
}

export async function lastIn({ reins }: ServerContext, cwd: string): Promise<string> {
  const folder = await realpath(cwd).catch(() => cwd);
  const [last] = await reins.sessions.list({ cwd: folder, limit: 1 });
  if (last !== undefined) return last.id;
  throw new HttpError(404, "session_not_found", `No session of the folder ${folder} is stored.`, {
    help: "`reins sessions` lists those of every folder.",
  });
}
