/** The agents that are tested with every cause of failure, their declared differences, and the files with the results. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { data as claude } from "../../src/agents/claude/failures.ts";
import { data as claudeAcp } from "../../src/agents/claude-acp/failures.ts";
import { data as codex } from "../../src/agents/codex/failures.ts";
import { data as copilot } from "../../src/agents/copilot/failures.ts";
import { data as cursor } from "../../src/agents/cursor/failures.ts";
import { data as cursorCloud } from "../../src/agents/cursor-cloud/failures.ts";
import { data as gemini } from "../../src/agents/gemini/failures.ts";
import { data as native } from "../../src/agents/native/failures.ts";
import { data as opencode } from "../../src/agents/opencode/failures.ts";
import { data as pi } from "../../src/agents/pi/failures.ts";
import { data as qwen } from "../../src/agents/qwen/failures.ts";
import { causes, type Cause } from "../../src/agents/shared/failures/causes.ts";
import type { FailureData } from "../../src/agents/shared/failures/classify.ts";
import type { CauseFamily, CauseResult } from "../contract/failure-causes.ts";
import type { Recording } from "../../src/testing/wire/record.ts";

export const matrixAgents: readonly FailureData[] = [
  claude,
  claudeAcp,
  codex,
  copilot,
  cursor,
  cursorCloud,
  gemini,
  native,
  opencode,
  pi,
  qwen,
];

/**
 * Agents that are tested with a stand-in, which fails as observed and as the library of Cursor's service reports failures. Causes they
 * declare are not tested.
 */
export const standIns: ReadonlySet<string> = new Set([cursor.agent, cursorCloud.agent]);

/** Further variables. Cursor's failures were observed in print mode. */
export const matrixEnv: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cursor: { REINS_CURSOR_CHANNEL: "print" },
};

export const families: readonly CauseFamily[] = ["service", "dns", "tls"];

/** Agents whose request timeout can be set. The others wait for minutes or forever, and declare it. */
export const shortTimeouts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: { API_TIMEOUT_MS: "8000" },
  "claude-acp": { API_TIMEOUT_MS: "8000" },
};

export interface AgentFailures {
  readonly results: Readonly<Partial<Record<Cause, CauseResult>>>;
  /** The wire of each family; none for an agent without a process. */
  readonly wire: Readonly<Partial<Record<CauseFamily, readonly Recording[]>>>;
}

export const failuresFile = (agent: string): string =>
  fileURLToPath(new URL(`../fixtures/failures/${agent}.json`, import.meta.url));

export function keptFailures(agent: string): AgentFailures | undefined {
  const file = failuresFile(agent);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AgentFailures) : undefined;
}

/** The fields that are the same in every run. */
export function steady({ outcome, code, retryable, resets }: CauseResult): CauseResult {
  return JSON.parse(JSON.stringify({ outcome, code, retryable, resets })) as CauseResult;
}

function matrixPage(): string {
  const agents = matrixAgents.flatMap((data) => {
    const kept = keptFailures(data.agent);
    return kept === undefined ? [] : [{ data, kept }];
  });
  const notes: string[] = [];
  const cell = (cause: Cause, { data, kept }: (typeof agents)[number]): string => {
    const reason = data.differs?.[cause];
    const result = kept.results[cause];
    const reported = result === undefined ? "–" : `\`${result.code ?? result.outcome}\``;
    if (reason === undefined) return reported;
    if (!notes.includes(reason)) notes.push(reason);
    return `${reported} (${notes.indexOf(reason) + 1})`;
  };
  const rows = (Object.keys(causes) as Cause[]).map((cause) => {
    const cells = agents.map((agent) => cell(cause, agent));
    const wanted = `\`${causes[cause].code}\``;
    return `| ${[causes[cause].about, wanted, ...cells.map((reported) => (reported === wanted ? "same" : reported))].join(" | ")} |`;
  });
  const nameOf = ({ agent, name }: FailureData): string => (standIns.has(agent) ? `${name} (stand-in)` : name);
  const head = ["cause", "expected", ...agents.map(({ data }) => nameOf(data))];
  const numbered = notes.map((note, index) => `${index + 1}. ${note}`);
  return [`| ${head.join(" | ")} |`, `| ${head.map(() => "---").join(" | ")} |`, ...rows, "", ...numbered].join("\n");
}

const heading = "## Which code each agent reports\n";
const about = `
A scripted model plays each cause to the real program of every agent (\`npm run test:real -- test/real/failure-matrix.test.ts\`). \`npm test\` replays the recordings. "same" is the code in the column
"expected". Where an agent reports something else, a numbered note below the table gives the reason. The program and the service of Cursor cannot be scripted, so stand-ins play the causes whose messages are known.
\`npm run docs\` writes this table.
`;

/** Returns the page with the current matrix; the text before it is kept. */
export function withMatrix(page: string): string {
  const [before = ""] = page.split(`\n${heading}`);
  return `${before.trimEnd()}\n\n${heading}${about}\n${matrixPage()}\n`;
}
