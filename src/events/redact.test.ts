import { fc } from "../../test/support/fast-check.ts";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const env = {
  SERVICE_API_KEY: "correct horse battery",
  "My.Token": 'quo"te\\d and\nlonger',
  DB_PASSWORD: "abcabcabd",
  OTHER_SECRET: "abcabcabdefg",
  MAX_TOKENS: "32000",
  USE_KEYRING: "disabled",
  SHORT_KEY: "abc",
  EMPTY_TOKEN: undefined,
  MARK_KEY: "redacted",
  PATH: "/usr/bin:/usr/local/bin",
};
const redact = createRedactor(env);
const key = `sk-ant-${"Ab0_-".repeat(8)}`;

describe("values of environment variables", () => {
  it.each([
    ["a correct horse battery!", "a [redacted]!"],
    [JSON.stringify({ a: env["My.Token"] }), '{"a":"[redacted]"}'],
    ["abcabcabdefg abcabcabd", "[redacted] [redacted]"],
    ["abcabcabcabd", "abc[redacted]"],
    ["32000 disabled abc redacted /usr/bin:/usr/local/bin", "32000 disabled abc redacted /usr/bin:/usr/local/bin"],
  ])("%j", (text, expected) => expect(redact(text)).toBe(expected));
});

describe("known shapes of secrets", () => {
  it.each([
    [`use ${key}.`, "use [redacted]."],
    [`"line\\n${key}"`, '"line\\n[redacted]"'],
    [`ghp_${"a1".repeat(18)} gho_${"b".repeat(36)}`, "[redacted] [redacted]"],
    [`github_pat_${"A1_".repeat(10)}`, "[redacted]"],
    [`AIza${"Sy-_9".repeat(7)}`, "[redacted]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    [`xoxb-${"123-".repeat(5)}`, "[redacted]"],
    [`npm_${"x".repeat(36)}`, "[redacted]"],
    [`glpat-${"x-".repeat(10)}`, "[redacted]"],
    [`eyJ${"hbGci0iJI".repeat(3)}.eyJ${"zdWIi0iIx".repeat(2)}.s1g_n-ature next`, "[redacted] next"],
    ["Authorization: Bearer a.b-c/d=\r\nHost: x", "Authorization: Bearer [redacted]\r\nHost: x"],
    ["proxy-authorization:basic dXNlcg==", "proxy-authorization:basic [redacted]"],
    ['{"Authorization": "Token abc", "b": 1}', '{"Authorization": "Token [redacted]", "b": 1}'],
    ['{\\"authorization\\":\\"Bearer abc\\"}', '{\\"authorization\\":\\"Bearer [redacted]\\"}'],
    ["git clone https://me:pa@ss@host/x.git", "git clone https://[redacted]@host/x.git"],
    ["postgres://u:p@db:5432/x?y=z@w", "postgres://[redacted]@db:5432/x?y=z@w"],
    ["https:\\/\\/u:p@host\\/", "https:\\/\\/[redacted]@host\\/"],
    [
      "-----BEGIN PRIVATE KEY-----\nMIIE+/=\n-----END PRIVATE KEY-----\nok",
      "-----BEGIN PRIVATE KEY-----[redacted]-----END PRIVATE KEY-----\nok",
    ],
    [
      "-----BEGIN RSA PRIVATE KEY-----\\nProc-Type: 4,ENCRYPTED\\nDEK-Info: AES-128-CBC,0A\\n\\nMIIE",
      "-----BEGIN RSA PRIVATE KEY-----[redacted]",
    ],
  ])("%j", (text, expected) => expect(redact(text)).toBe(expected));

  it.each([
    "a task-list-of-many-words-and-more",
    "sk-short",
    "https://example.com/a@b and me@example.com",
    "Authorization: required",
    "eyJhbGciOiJIUzI1NiJ9 alone",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "npm_config_registry_and_many_other_settings_of_it",
    `asks for ${"x".repeat(300)}`,
  ])("leaves %j as it is", (text) => expect(redact(text)).toBe(text));
});

describe("tokens by their beginning", () => {
  it.each([
    ["gsk_", "Ab0", 52],
    ["xai-", "Ab0", 80],
    ["pplx-", "Ab0", 48],
    ["csk-", "ab0", 48],
    ["r8_", "Ab0", 37],
    ["hf_", "Abc", 34],
    ["lsv2_pt_", "a0_", 40],
    ["lsv2_sk_", "a0_", 40],
    ["crsr_", "a0b", 64],
    ["ghp_", "Ab0", 36],
    ["ghu_", "Ab0", 36],
    ["github_pat_", "A1_", 82],
    ["glpat-", "A1-", 20],
    ["gldt-", "A1_", 20],
    ["glrt-", "A1_", 20],
    ["glft-", "A1_", 20],
    ["glptt-", "a0", 40],
    ["glcbt-", "A1_", 20],
    ["glagent-", "A1_", 50],
    ["npm_", "Ab0", 36],
    ["pypi-AgEIcHlwaS5vcmc", "A1_", 60],
    ["rubygems_", "a0", 48],
    ["dckr_pat_", "A1-", 27],
    ["dckr_oat_", "A1-", 32],
    ["CCIPAT_", "Ab0_", 40],
    ["bkua_", "a0", 40],
    ["ATATT3", "A0_", 180],
    ["ATCTT3", "A0_", 180],
    ["PMAK-", "a0", 58],
    ["lin_api_", "Ab0", 40],
    ["lin_oauth_", "a0", 64],
    ["ntn_", "Ab0", 46],
    ["figd_", "A1-", 40],
    ["AKIA", "A0", 16],
    ["ASIA", "A0", 16],
    ["ABIA", "A0", 16],
    ["ACCA", "A0", 16],
    ["LTAI", "Ab0", 20],
    ["AKID", "Ab0", 32],
    ["AIza", "A1-", 35],
    ["ya29.", "A1-", 60],
    ["GOCSPX-", "A1-", 28],
    ["dop_v1_", "a0", 64],
    ["doo_v1_", "a0", 64],
    ["dor_v1_", "a0", 64],
    ["hvs.", "A1-", 90],
    ["hvb.", "A1-", 90],
    ["HRKU-", "A1-", 60],
    ["nfp_", "Ab0", 36],
    ["sbp_", "a0", 40],
    ["sb_secret_", "A1-", 31],
    ["napi_", "a0", 64],
    ["pscale_tkn_", "A1-", 43],
    ["pscale_pw_", "A1-", 43],
    ["tskey-", "auth-k0A", 40],
    ["pul-", "a0", 40],
    ["dp.pt.", "Ab0", 43],
    ["dp.st.", "Ab0", 43],
    ["CFPAT-", "A1-", 43],
    ["fo1_", "A1-", 43],
    ["AGE-SECRET-KEY-1", "Q0", 58],
    ["xoxb-", "123-", 40],
    ["xapp-1-", "A0-", 60],
    ["sk_live_", "Ab0", 24],
    ["rk_live_", "Ab0", 24],
    ["sk_test_", "Ab0", 24],
    ["whsec_", "A0+", 32],
    ["SG.", "A1-.", 66],
    ["xkeysib-", "a0", 64],
    ["shpat_", "a0", 32],
    ["shpss_", "a0", 32],
    ["shpca_", "a0", 32],
    ["sq0atp-", "A1-", 22],
    ["NRAK-", "A0", 27],
    ["NRJS-", "a0", 27],
    ["sntrys_", "A0+", 60],
    ["sntryu_", "a0", 64],
    ["glc_", "A0+", 60],
    ["glsa_", "A0_", 41],
    ["rdme_", "a0", 70],
    ["tfp_", "A1.", 59],
    ["duffel_live_", "A1-", 43],
    ["EZAK", "Ab0", 54],
    ["EZTK", "Ab0", 54],
    ["shippo_live_", "a0", 40],
    ["dt0c01.", "A0.", 90],
  ])("hides a token that begins with %s", (beginning, piece, length) => {
    const token = beginning + piece.repeat(length).slice(0, length);
    expect(redact(`use ${token} now`)).toBe("use [redacted] now");
    const stream = redact.stream();
    const cut = beginning.length - 1;
    expect(
      stream.push(`a ${token.slice(0, cut)}`) + stream.push(token.slice(cut)) + stream.push(" b") + stream.flush(),
    ).toBe("a [redacted] b");
  });

  it.each([
    "hf_hub_download of a model",
    "the task_live_update of ask_live_chat",
    "xai-grok",
    "npm_lifecycle_event",
    "SG.short",
    "glc_x",
  ])("leaves %j as it is", (text) => expect(redact(text)).toBe(text));
});

describe("deep", () => {
  it("copies only what changed", () => {
    const same = { b: ["c", 1, null, true] };
    const value = { same, list: [same, `x ${key}`], n: 1 };
    const clean = redact.deep(value);
    expect(clean).toEqual({ same, list: [same, "x [redacted]"], n: 1 });
    expect(clean.same).toBe(same);
    expect(value.list[1]).toContain(key);
    expect(redact.deep(same)).toBe(same);
  });

  it("redacts keys and survives a __proto__ key", () => {
    const odd = JSON.parse(`{"__proto__": {"a": "${key}"}, "${key}": 1}`) as object;
    expect(JSON.stringify(redact.deep(odd))).toBe('{"__proto__":{"a":"[redacted]"},"[redacted]":1}');
  });

  it("replaces values that are nested too deep to check", () => {
    const deep = JSON.parse("[".repeat(100_000) + JSON.stringify(key) + "]".repeat(100_000)) as unknown;
    expect(JSON.stringify(redact.deep(deep))).toContain("[nested too deep]");
  });

  it("takes linear time in the depth of a secret", () => {
    let value: unknown = key;
    for (let depth = 0; depth < 150; depth++) value = { value };
    expect(JSON.stringify(redact.deep(value))).toContain("[redacted]");
  });
});

/** Secrets, near misses and beginnings of secrets, to be placed next to each other. */
const fragments = [
  ...Object.values(env).filter((value) => value !== undefined),
  ...Object.values(env).map((value) => JSON.stringify(value ?? "").slice(1, -2)),
  key,
  `AKIA${"Z".repeat(16)}`,
  "eyJabcdefgh.eyJabcdefgh.x",
  `eyJ${"q".repeat(1030)}`,
  `://${"u".repeat(600)}@`,
  "Authorization: Bearer abc",
  "https://me:pa@ss@host/x",
  "-----BEGIN EC PRIVATE KEY-----\nA-B--C\n-----END EC PRIVATE KEY-----",
  ...[
    "s",
    "sk",
    "sk-",
    "g",
    "gh",
    "A",
    "e",
    "eyJ",
    "-",
    "--",
    "-----",
    "au",
    ":",
    "://",
    "@",
    "a",
    "abc",
    "\\n",
    "\\",
    "\n",
    " ",
  ],
  "é😀",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(""));
const cuts = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 20 });

function pieces(whole: string, lengths: readonly number[]): string[] {
  const parts: string[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    // Advance in every round, however many empty pieces there are.
    parts.push(whole.slice(at, (at += turn % lengths.length === 0 ? length + 1 : length)));
  }
  return parts;
}

describe("redact.stream", () => {
  it("gives the same text as redacting the whole at once, however the text is cut", () => {
    fc.assert(
      fc.property(text, cuts, (whole, lengths) => {
        const stream = redact.stream();
        const shown = pieces(whole, lengths).map((piece) => stream.push(piece));
        expect(shown.join("") + stream.flush()).toBe(redact(whole));
      }),
      { numRuns: 1000 },
    );
  });

  it("gives the same text when a secret is cut in two, with any text before it", () => {
    for (const secret of fragments.filter((fragment) => fragment.length > 5)) {
      for (const before of ["", " ", "a", "-", "\\n", "n", "s", "https"]) {
        const whole = `x${before}${secret} y`;
        for (let at = 0; at <= Math.min(whole.length, 80); at++) {
          const stream = redact.stream();
          expect(stream.push(whole.slice(0, at)) + stream.push(whole.slice(at)) + stream.flush()).toBe(redact(whole));
        }
      }
    }
  });

  it("gives the same text when a secret is cut in three, also between a boundary character and the secret", () => {
    for (const before of ["\\n", "\\", "\\t", "n", "-", " "]) {
      const whole = `say ${before}eyJabcdefgh.eyJabcdefgh.x${before}sk-abcdefghijklmnopqrst`;
      for (let one = 0; one <= whole.length; one++) {
        for (let two = one; two <= Math.min(whole.length, one + 6); two++) {
          const stream = redact.stream();
          const shown = [whole.slice(0, one), whole.slice(one, two), whole.slice(two)].map((piece) =>
            stream.push(piece),
          );
          expect(shown.join("") + stream.flush()).toBe(redact(whole));
        }
      }
    }
  });

  it("never shows a secret in parts", () => {
    for (const secret of [key, "correct horse battery", "abcabcabdefg"]) {
      const stream = redact.stream();
      const shown = Array.from(`a ${secret} b`, (char) => stream.push(char));
      expect(shown.join("") + stream.flush()).toBe("a [redacted] b");
    }
  });

  it("holds back only a possible secret, and at most the longest prefix", () => {
    const stream = redact.stream();
    expect(stream.push("nothing to see")).toBe("nothing to see");
    for (const endless of ["eyJ", "://", "Authorization:", "-----BEGIN ", "abcabcab", "-"]) {
      const open = redact.stream();
      const whole = endless + "a".repeat(5000);
      const shown = pieces(whole, [7]).map((piece) => open.push(piece));
      expect(shown.join("").length).toBeGreaterThan(whole.length - 1100);
      const grown = redact.stream();
      expect(grown.push(`${key}${"a".repeat(5000)}`)).toBe("[redacted]");
      expect(grown.push("more.")).toBe(".");
    }
  });

  it("can be used again after a flush", () => {
    const stream = redact.stream();
    expect(stream.push("an s")).toBe("an ");
    expect(stream.flush()).toBe("s");
    expect(stream.push("an s")).toBe("an ");
    expect(stream.flush()).toBe("s");
  });
});

it("works with an empty environment", () => {
  const bare = createRedactor({});
  expect(bare(`correct horse battery ${key}`)).toBe("correct horse battery [redacted]");
  const stream = bare.stream();
  expect(stream.push("sk") + stream.push(key.slice(2)) + stream.flush()).toBe("[redacted]");
});

it("is idempotent", () => {
  fc.assert(
    fc.property(text, (whole) => {
      expect(redact(redact(whole))).toBe(redact(whole));
    }),
  );
});

it("handles long hostile texts", () => {
  for (const unit of [
    "sk-",
    `${key} `,
    "eyJ",
    "eyJaaaaaaaa.",
    "://a@",
    "-----BEGIN PRIVATE KEY-----a-",
    "authorization: bearer a,",
    "abcabc",
  ]) {
    const whole = unit.repeat(300_000 / unit.length);
    const stream = redact.stream();
    expect(stream.push(whole) + stream.flush()).toBe(redact(whole));
  }
});
