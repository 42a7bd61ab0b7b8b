/**
 * The repository and branch for cloud agents started from a folder: suggested by git, and saved once the user has
 * chosen. Saved in the user's own folder, because files in a workspace come with a clone.
 */
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { randomId, sha256 } from "../../process/crypto.ts";
import { stateHome } from "../../process/home.ts";
import type { Processes } from "../../process/types.ts";
import { isRecord, record, text } from "../../protocols/json.ts";
import type { CloudTarget, CloudTargetChoice } from "../../view/cloud.ts";
import { gitRemote, publicAddress, type GitRemote } from "../../workspace/remote.ts";

export interface CloudTargetsContext {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function cloudTargetOf(context: CloudTargetsContext, cwd: string): Promise<CloudTargetChoice> {
  const { folder, remote } = await placeOf(context, cwd);
  const suggested = { repository: remote?.repository, ref: remote?.repository && remote.branch };
  return { remembered: await read(fileOf(context, folder), folder, remote), suggested, note: noteOf(remote) };
}

/** Saves the target for the folder; undefined deletes it. Throws `invalid_input` for a target that no service can use. */
export async function saveCloudTarget(
  context: CloudTargetsContext,
  cwd: string,
  wanted: CloudTarget | undefined,
): Promise<void> {
  const { folder, remote } = await placeOf(context, cwd);
  const path = fileOf(context, folder);
  if (wanted === undefined) return rm(path, { force: true });
  const kept = { folder, remote: remote?.repository, target: checkedTarget(wanted) };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Another window may save at the same time: each writes a whole file, and the last one wins.
  const draft = `${path}.${randomId()}`;
  try {
    await writeFile(draft, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw new ReinsError("invalid_input", `The cloud target could not be saved in ${path}.`, { cause: thrown });
  }
}

/** Trims the fields and converts the URL to its public form. Throws `invalid_input`. */
export function checkedTarget({ repository, ref, branch, createPr }: CloudTarget): CloudTarget {
  const address = given(repository);
  const reachable = address === undefined ? undefined : publicAddress(address);
  if (address !== undefined && (reachable === undefined || /[\p{Cc}\s]/u.test(address) || address.length > 1_000))
    throw new ReinsError(
      "invalid_input",
      `${shown(address)} is not the address of a repository that others can reach.`,
      {
        help: "Write it as https://github.com/team/project.",
      },
    );
  return { repository: reachable, ref: refOf(ref), branch: refOf(branch), createPr: createPr === true };
}

function refOf(name: string | undefined): string | undefined {
  const ref = given(name);
  // The character rules of `git check-ref-format`.
  if (ref !== undefined && (/[\p{Cc}\s~^:?*[\\]|\.\.|^[-/]|\/$/u.test(ref) || ref.length > 250))
    throw new ReinsError("invalid_input", `${shown(ref)} cannot be the name of a branch.`);
  return ref;
}

const given = (value: string | undefined): string | undefined => value?.trim() || undefined;
const shown = (value: string): string => JSON.stringify(value.slice(0, 100));

/** The top folder of the repository, so that all its folders share one choice; otherwise the folder itself. */
async function placeOf({ processes, env }: CloudTargetsContext, cwd: string) {
  const remote = await gitRemote(processes, cwd, env);
  const folder = await realpath(remote?.top ?? cwd).catch(() => {
    throw new ReinsError("invalid_input", `The folder ${cwd} does not exist.`);
  });
  return { folder, remote };
}

function fileOf({ env }: CloudTargetsContext, folder: string): string {
  return join(stateHome(env), "cloud-targets", `${sha256(folder).slice(0, 32)}.json`);
}

/** Undefined when the file is missing or damaged, or the folder now has another remote. */
async function read(path: string, folder: string, remote: GitRemote | undefined): Promise<CloudTarget | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!isRecord(kept) || kept["folder"] !== folder || kept["remote"] !== remote?.repository) return undefined;
    const target = record(kept["target"]);
    const [repository, ref, branch] = ["repository", "ref", "branch"].map((name) => text(target[name]));
    return checkedTarget({ repository, ref, branch, createPr: target["createPr"] === true });
  } catch {
    return undefined;
  }
}

function noteOf(remote: GitRemote | undefined): string | undefined {
  if (remote?.repository === undefined) return "This folder has no remote that a cloud agent could reach.";
  const { branch, isPushed } = remote;
  if (branch === undefined || isPushed) return undefined;
  return `The branch ${branch} is not pushed: a cloud agent does not see it.`;
}
