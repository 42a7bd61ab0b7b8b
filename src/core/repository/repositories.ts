/** Repositories of one Reins: their status and actions, with at most one `gh` and one confirmed action at a time. */
import type { Deadlines } from "../../events/deadlines.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { printable } from "../../events/printable.ts";
import type { Processes } from "../../process/types.ts";
import { record } from "../../protocols/json.ts";
import {
  isRepositorySkill,
  planAction,
  type ActionPlan,
  type RepositoryActionRequest,
  type RepositoryActionResult,
} from "../../view/repository-actions.ts";
import { repositorySkills, type RepositorySkill } from "../../view/repository-skills.ts";
import { repositoryStatus, type RepositoryStatus } from "../../view/repository.ts";
import { askGh, defaultBranchOf, ghDetails, gitFacts, runConfirmed } from "../../workspace/repository.ts";
import { quotedWords } from "../policy/rule.ts";
import { earlierReviewers, lastPart, pullRequestMaterial } from "./pull-request.ts";
import { readSkill } from "./skill-file.ts";
import { checksIn, pullRequestIn, repositoryOf } from "./status.ts";

interface RepositoriesContext {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlines: Deadlines;
  readonly redact: (text: string) => string;
}

type Request = RepositoryActionRequest & { readonly cwd: string };
type Commands = Extract<ActionPlan, { kind: "commands" }>["commands"];

const outputChars = 32_000;

export class Repositories {
  readonly #context: RepositoriesContext;
  readonly #asked = new Map<string, Promise<RepositoryStatus | undefined>>();
  readonly #acting = oneAtATime();

  constructor(context: RepositoriesContext) {
    const { processes } = context;
    const gh = oneAtATime();
    const run: Processes["run"] = (spec, deadlineMs) =>
      spec.command === "gh" ? gh(() => processes.run(spec, deadlineMs)) : processes.run(spec, deadlineMs);
    this.#context = { ...context, processes: { ...processes, run } };
  }

  /** Concurrent requests about the same folder share one result. */
  status(cwd: string): Promise<RepositoryStatus | undefined> {
    const { processes, env, deadlines } = this.#context;
    const asked =
      this.#asked.get(cwd) ??
      repositoryOf(processes, cwd, env, deadlines).finally(() => {
        this.#asked.delete(cwd);
      });
    this.#asked.set(cwd, asked);
    return asked;
  }

  /** A confirmed action reads the repository again when its turn comes, because the previous action may have changed it. */
  action(request: Request): Promise<RepositoryActionResult> {
    return request.confirm === true ? this.#acting(() => this.#act(request)) : this.#act(request);
  }

  async #act(request: Request): Promise<RepositoryActionResult> {
    const { processes, env } = this.#context;
    const { cwd, as, reviewers } = request;
    const facts = await gitFacts(processes, cwd, env);
    if (facts === undefined) throw invalid(`${cwd} is not in a git work tree, or git is not installed.`);
    const { answer, failure } = facts.hasRemote ? await this.#pullRequest(facts.top) : {};
    const pullRequest = pullRequestIn(answer);
    const checksStatus = pullRequest === undefined ? null : checksIn(record(answer)["statusCheckRollup"]);
    const skill = request.skill ?? repositoryStatus({ ...facts, pullRequest, checksStatus }).action.skill;
    if (!isRepositorySkill(skill)) throw invalid(`There is no action ${JSON.stringify(skill.slice(0, 100))}.`, known);
    const plan: ActionPlan =
      as === "prompt"
        ? { kind: "prompt" }
        : planAction(skill, {
            branch: facts.isDetached ? undefined : facts.branch,
            isDirty: facts.isDirty,
            pullRequest,
            reviewers: reviewers ?? earlierReviewers(answer),
            ...(skill === "cleanup-branch" && (await defaultBranchOf(processes, facts.top, env))),
          });
    // Without an answer of `gh` it is unknown whether there is a pull request.
    if (plan.kind === "refused") throw pullRequest === undefined && failure ? failure : invalid(plan.reason);
    if (plan.kind === "prompt") return this.#prompt(skill, { cwd, top: facts.top, answer, failure });
    return this.#commands(skill, plan.commands, facts.top, request);
  }

  async #pullRequest(top: string): Promise<{ readonly answer?: unknown; readonly failure?: ReinsError }> {
    const { processes, env, deadlines } = this.#context;
    try {
      return { answer: await askGh(processes, top, env, deadlines.probe)("pr", "view", "--json", ghDetails) };
    } catch (thrown) {
      return { failure: toReinsError(thrown) };
    }
  }

  async #prompt(
    skill: RepositorySkill,
    at: {
      readonly cwd: string;
      readonly top: string;
      readonly answer: unknown;
      readonly failure: ReinsError | undefined;
    },
  ): Promise<RepositoryActionResult> {
    const { processes, env, deadlines, redact } = this.#context;
    const { text, source, notes } = await readSkill(at.cwd, at.top, skill);
    const gh = askGh(processes, at.top, env, deadlines.request);
    const material = await pullRequestMaterial(skill, at.answer, gh, redact);
    return {
      kind: "prompt",
      skill,
      text: [redact(text), ...material.sections].join("\n\n"),
      source,
      notes: [...notes, ...(at.failure === undefined ? [] : [at.failure.message]), ...material.notes].map(redact),
    };
  }

  async #commands(
    skill: RepositorySkill,
    commands: Commands,
    cwd: string,
    { confirm, shown: agreed }: Request,
  ): Promise<RepositoryActionResult> {
    const { processes, env, deadlines, redact } = this.#context;
    const lines = commands.map(quotedWords);
    const shown = lines.join("\n");
    // A user can only agree to a command that is shown exactly as it runs.
    if (printable(shown) !== shown) throw invalid("The name of the branch has characters that cannot be shown.");
    if (confirm !== true) return { kind: "commands", skill, commands, shown };
    if (agreed !== undefined && agreed !== shown)
      throw invalid("The repository has changed since the command was shown.", "Look at the action again.");
    const printed: string[] = [];
    let exitCode: number | null = 0;
    for (const [index, command] of commands.entries()) {
      const at = { cwd, env, deadlineMs: deadlines.repositoryAction };
      const { code, stdout, stderr, timedOut } = await runConfirmed(processes, command, at);
      printed.push(
        `$ ${lines[index]!}`,
        ...[stdout, stderr].map((text) => text.trimEnd()).filter((text) => text !== ""),
      );
      exitCode = timedOut ? null : code;
      if (timedOut) printed.push(`It did not end within ${deadlines.repositoryAction / 1000} seconds and was stopped.`);
      if (exitCode !== 0) break;
    }
    const output = lastPart(printable(redact(printed.join("\n"))), outputChars);
    return { kind: "ran", skill, commands, shown, output, exitCode };
  }
}

const known = `There are: ${Object.keys(repositorySkills).join(", ")}.`;

function invalid(message: string, help?: string): ReinsError {
  return new ReinsError("invalid_input", message, help === undefined ? {} : { help });
}

function oneAtATime(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const now = last.then(work, work);
    last = now.catch(() => undefined);
    return now;
  };
}
