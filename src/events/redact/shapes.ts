/** Secrets that are recognised by their shape. */
import { boundary, candidateSource, word, type Beginning } from "./beginnings.ts";
import { beginningSource, literal, source, type Step } from "./steps.ts";
import { type Finder, type Growth, mark } from "./stream.ts";

interface Shape {
  /** Characters that must not precede the secret: `task-list` contains no `sk-` key. */
  readonly notAfter?: string;
  /** Text before the secret, which stays visible. */
  readonly before?: readonly Step[];
  /** The part of the secret that is enough to identify it. */
  readonly secret: readonly Step[];
  /** Text after the secret, which stays visible. */
  readonly after?: readonly Step[];
  /** Characters that still belong to the secret, in any number. */
  readonly more?: readonly Step[];
  /** Number of leading characters that make a text a candidate; the last of them should be rare in ordinary text. */
  readonly known: number;
}

/** A beginning, the characters that follow, and their least number. One row each in redact.test.ts. */
const tokens: readonly (readonly [beginning: string, chars: string, least: number])[] = [
  // Models
  ["sk-", "[A-Za-z0-9_-]", 16],
  ["gsk_", "[A-Za-z0-9]", 40],
  ["xai-", "[A-Za-z0-9]", 40],
  ["pplx-", "[A-Za-z0-9]", 40],
  ["csk-", "[A-Za-z0-9]", 30],
  ["r8_", "[A-Za-z0-9]", 32],
  ["hf_", "[A-Za-z0-9]", 30],
  ["lsv2_[ps][kt]_", "[A-Za-z0-9_]", 30],
  ["crsr_", "[A-Za-z0-9]", 30],
  // Code and packages
  ["gh[oprsu]_", "[A-Za-z0-9]", 30],
  ["github_pat_", "[A-Za-z0-9_]", 22],
  ["glpat-", "[A-Za-z0-9_.-]", 16],
  ["gl[dfr]t-", "[A-Za-z0-9_.-]", 16],
  ["glptt-", "[A-Za-z0-9_.-]", 16],
  ["glcbt-", "[A-Za-z0-9_.-]", 16],
  ["glagent-", "[A-Za-z0-9_.-]", 16],
  ["npm_", "[A-Za-z0-9]", 30],
  ["pypi-AgE", "[A-Za-z0-9_-]", 40],
  ["rubygems_", "[a-f0-9]", 40],
  ["dckr_pat_", "[A-Za-z0-9_-]", 20],
  ["dckr_oat_", "[A-Za-z0-9_-]", 20],
  ["CCIPAT_", "[A-Za-z0-9_]", 20],
  ["bkua_", "[a-f0-9]", 30],
  ["ATATT3", "[A-Za-z0-9_=-]", 40],
  ["ATCTT3", "[A-Za-z0-9_=-]", 40],
  ["PMAK-", "[a-f0-9-]", 40],
  ["lin_api_", "[A-Za-z0-9]", 30],
  ["lin_oauth_", "[A-Za-z0-9]", 30],
  ["ntn_", "[A-Za-z0-9]", 40],
  ["figd_", "[A-Za-z0-9_-]", 30],
  // Clouds
  ["A[BKS]IA", "[A-Z0-9]", 16],
  ["ACCA", "[A-Z0-9]", 16],
  ["LTAI", "[A-Za-z0-9]", 17],
  ["AKID", "[A-Za-z0-9]", 28],
  ["AIza", "[A-Za-z0-9_-]", 30],
  ["ya29\\.", "[A-Za-z0-9_-]", 30],
  ["GOCSPX-", "[A-Za-z0-9_-]", 24],
  ["do[opr]_v1_", "[a-f0-9]", 40],
  ["hv[bs]\\.", "[A-Za-z0-9_-]", 24],
  ["HRKU-", "[A-Za-z0-9_-]", 30],
  ["nfp_", "[A-Za-z0-9]", 30],
  ["sbp_", "[a-f0-9]", 40],
  ["sb_secret_", "[A-Za-z0-9_-]", 20],
  ["napi_", "[a-z0-9]", 40],
  ["pscale_[opt]", "[A-Za-z0-9_.=-]", 32],
  ["tskey-", "[A-Za-z0-9-]", 24],
  ["pul-", "[a-f0-9]", 40],
  ["dp\\.[cps]t\\.", "[A-Za-z0-9]", 40],
  ["CFPAT-", "[A-Za-z0-9_-]", 40],
  ["fo1_", "[A-Za-z0-9_-]", 40],
  ["AGE-SECRET-KEY-1", "[A-Z0-9]", 50],
  // Services
  ["xox[abeoprs]-", "[A-Za-z0-9-]", 10],
  ["xapp-", "[A-Za-z0-9-]", 20],
  ["[rs]k_live_", "[A-Za-z0-9]", 16],
  ["[rs]k_test_", "[A-Za-z0-9]", 16],
  ["whsec_", "[A-Za-z0-9+/=]", 24],
  ["SG\\.", "[A-Za-z0-9_.-]", 60],
  ["xkeysib-", "[a-f0-9]", 60],
  ["shp[acps][ast]_", "[A-Fa-f0-9]", 32],
  ["sq0[ac]tp-", "[A-Za-z0-9_-]", 22],
  ["NR[AIJ][IKS]-", "[A-Za-z0-9-]", 20],
  ["sntry[su]_", "[A-Za-z0-9+/=_-]", 40],
  ["glc_", "[A-Za-z0-9+/=]", 32],
  ["glsa_", "[A-Za-z0-9_]", 32],
  ["rdme_", "[a-z0-9]", 60],
  ["tfp_", "[A-Za-z0-9_.=-]", 50],
  ["duffel_", "[A-Za-z0-9_=-]", 43],
  ["EZ[AT]K", "[A-Za-z0-9]", 54],
  ["shippo_live_", "[a-f0-9]", 40],
  ["dt0c01\\.", "[A-Z0-9.]", 80],
];

function token([beginning, chars, least]: (typeof tokens)[number]): Shape {
  const steps = literal(beginning);
  // `-`, `_` and `.` are rarer than letters.
  const separator = steps.findIndex((step) => /^(?:[-_]|\\\.)$/.test(step.chars));
  return {
    notAfter: word,
    secret: [...steps, { chars, min: least, max: least }],
    more: [{ chars, min: 1, max: Infinity }],
    known: Math.max(3, separator + 1),
  };
}

/** A JSON Web Token: two base64 parts that begin with `{"`, and a signature. */
const jwt: Shape = {
  notAfter: word,
  secret: [
    ...literal("eyJ"),
    { chars: word, min: 8, max: 1024 },
    ...literal("\\.eyJ"),
    { chars: word, min: 8, max: 8 },
  ],
  more: [{ chars: "[A-Za-z0-9_.-]", min: 1, max: Infinity }],
  known: 3,
};

const body = "[A-Za-z0-9+/=\\s\\\\,:.()]";

/** A private key between its BEGIN and END lines. An encrypted key has headers that contain single dashes. */
const pem: Shape = {
  before: [
    ...literal("-----BEGIN "),
    { chars: "[A-Z0-9 ]", min: 0, max: 40 },
    ...literal("PRIVATE KEY"),
    { chars: "[A-Z ]", min: 0, max: 6 },
    ...literal("-----"),
  ],
  secret: [{ chars: body, min: 1, max: 1 }],
  more: [
    { chars: "-", min: 0, max: 1 },
    { chars: body, min: 1, max: Infinity },
  ],
  known: 6,
};

const quotes: Step = { chars: "[\"'\\\\]", min: 0, max: 4 };
const space: Step = { chars: "\\s", min: 0, max: 4 };
const credential = "[^\\s\"'\\\\,;<>\\[\\]]";

/** Matches an HTTP header, JSON, and JSON inside JSON. */
const authorization = (scheme: string): Shape => ({
  notAfter: "[A-Za-z0-9]",
  before: [
    ...literal("authorization", true),
    quotes,
    space,
    ...literal("[:=]"),
    space,
    quotes,
    ...literal(scheme, true),
    { chars: "\\s", min: 1, max: 4 },
  ],
  secret: [{ chars: credential, min: 1, max: 1 }],
  more: [{ chars: credential, min: 1, max: Infinity }],
  known: "authoriz".length,
});

/** User and password in a URL. Some programs write `://` as `:\/\/` in JSON. */
const userInfo = (slashes: string): Shape => ({
  before: literal(slashes),
  secret: [{ chars: '[^\\s/?#"<>`\\\\^{|}\\[\\]]', min: 1, max: 512 }],
  after: literal("@"),
  known: 3,
});

const others: readonly Shape[] = [
  jwt,
  pem,
  ...["bearer", "basic", "token"].map(authorization),
  ...["://", ":\\\\/\\\\/"].map(userInfo),
];

const shapes: readonly Shape[] = [...tokens.map(token), ...others];

const stepsOf = ({ before = [], secret, after = [] }: Shape): Step[] => [...before, ...secret, ...after];

const anyOf = (sourceOf: (shape: Shape) => string): string =>
  shapes.map((shape) => boundary(shape.notAfter) + sourceOf(shape)).join("|");

/** Two groups per shape: the visible text before and after the secret. */
const pattern = new RegExp(
  anyOf(({ before = [], secret, after = [] }) => `(${source(before)})${source(secret)}(${source(after)})`),
  "y",
);
const undecidedSource = (some: readonly Shape[]): string =>
  `(?:${some.map((shape) => boundary(shape.notAfter) + beginningSource(stepsOf(shape))).join("|")})$`;
const undecidedToken = new RegExp(undecidedSource(tokens.map(token)), "g");
const undecidedOther = new RegExp(undecidedSource(others), "g");
/** No shape is longer, without what is repeated at its end. */
const longest = Math.max(...shapes.map((shape) => stepsOf(shape).reduce((sum, { max }) => sum + max, 0)));

const beginnings: readonly Beginning[] = shapes.map((shape) => ({
  notAfter: shape.notAfter,
  units: stepsOf(shape)
    .slice(0, shape.known)
    .map(({ chars }) => chars),
}));
const candidates = new RegExp(candidateSource(beginnings), "g");
const shortestBeginning = Math.min(...shapes.map(({ known }) => known));
const longestBeginning = Math.max(...shapes.map(({ known }) => known));

/** Looks only near candidates: with seventy shapes the whole expression reads 60 MB/s, the one for candidates a gigabyte. */
function find(text: string, from: number): RegExpExecArray | null {
  candidates.lastIndex = from;
  let next = from;
  while (candidates.test(text)) {
    const end = candidates.lastIndex;
    for (let at = Math.max(next, end - longestBeginning); at <= end - shortestBeginning; at++) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match !== null) return match;
    }
    next = Math.max(next, end - shortestBeginning + 1);
    // Candidates may overlap.
    candidates.lastIndex = end - 2;
  }
  return null;
}

const growths = shapes.map(
  ({ more }): Growth | undefined =>
    more && {
      more: new RegExp(`(?:${source(more)})*`, "y"),
      undecided: new RegExp(`(?:${beginningSource(more)})$`, "y"),
    },
);

const firstGroup = (match: RegExpExecArray): number =>
  match.findIndex((group, index) => index > 0 && group !== undefined);

const tokenCharacter = /[A-Za-z0-9_.=+/-]/;

/** How many characters at the end of a text a token may have. */
function lastRun(text: string): number {
  let length = 0;
  while (length < text.length && tokenCharacter.test(text.charAt(text.length - 1 - length))) length++;
  return length;
}

export const shapeFinder: Finder = {
  beginnings,
  find,
  undecidedFrom(text, from) {
    const start = Math.max(from, text.length - longest);
    undecidedOther.lastIndex = start;
    const other = undecidedOther.exec(text)?.index ?? text.length;
    undecidedToken.lastIndex = Math.max(start, text.length - lastRun(text));
    return Math.min(other, undecidedToken.exec(text)?.index ?? text.length);
  },
  replacement(match) {
    const group = firstGroup(match);
    return `${match[group]}${mark}${match[group + 1]}`;
  },
  growth: (match) => growths[(firstGroup(match) - 1) / 2],
};
