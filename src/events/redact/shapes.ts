/** Recognises secrets by their shape. */
import { boundary } from "./beginnings.ts";
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

/** Prefix, allowed characters after it, and their minimum number. */
const tokens: readonly (readonly [beginning: string, chars: string, least: number])[] = [
  ["sk-", "[A-Za-z0-9_-]", 16],
  ["gh[oprsu]_", "[A-Za-z0-9]", 30],
  ["github_pat_", "[A-Za-z0-9_]", 22],
  ["glpat-", "[A-Za-z0-9_-]", 16],
  ["npm_", "[A-Za-z0-9]", 30],
  ["xox[abeoprs]-", "[A-Za-z0-9-]", 10],
  ["AIza", "[A-Za-z0-9_-]", 30],
  ["A[KS]IA", "[A-Z0-9]", 16],
];

const word = "[A-Za-z0-9_-]";

const token = ([beginning, chars, least]: (typeof tokens)[number]): Shape => ({
  notAfter: word,
  secret: [...literal(beginning), { chars, min: least, max: least }],
  more: [{ chars, min: 1, max: Infinity }],
  known: beginning.startsWith("A") ? 3 : literal(beginning).length,
});

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

const shapes: readonly Shape[] = [
  ...tokens.map(token),
  jwt,
  pem,
  ...["bearer", "basic", "token"].map(authorization),
  ...["://", ":\\\\/\\\\/"].map(userInfo),
];

const stepsOf = ({ before = [], secret, after = [] }: Shape): Step[] => [...before, ...secret, ...after];

const anyOf = (sourceOf: (shape: Shape) => string): string =>
  shapes.map((shape) => boundary(shape.notAfter) + sourceOf(shape)).join("|");

/** Two groups per shape: the visible text before and after the secret. */
const pattern = new RegExp(
  anyOf(({ before = [], secret, after = [] }) => `(${source(before)})${source(secret)}(${source(after)})`),
  "g",
);
const undecided = new RegExp(`(?:${anyOf((shape) => beginningSource(stepsOf(shape)))})$`, "g");

const growths = shapes.map(
  ({ more }): Growth | undefined =>
    more && {
      more: new RegExp(`(?:${source(more)})*`, "y"),
      undecided: new RegExp(`(?:${beginningSource(more)})$`, "y"),
    },
);

const firstGroup = (match: RegExpExecArray): number =>
  match.findIndex((group, index) => index > 0 && group !== undefined);

export const shapeFinder: Finder = {
  beginnings: shapes.map((shape) => ({
    notAfter: shape.notAfter,
    units: stepsOf(shape)
      .slice(0, shape.known)
      .map(({ chars }) => chars),
  })),
  pattern,
  undecidedFrom(text, from) {
    undecided.lastIndex = from;
    return undecided.exec(text)?.index ?? text.length;
  },
  replacement(match) {
    const group = firstGroup(match);
    return `${match[group]}${mark}${match[group + 1]}`;
  },
  growth: (match) => growths[(firstGroup(match) - 1) / 2],
};
