import { expect, test } from "vitest";
import { childEnvironment } from "./environment.ts";

const needed = {
  PATH: "/bin",
  HOME: "/home/me",
  LC_ALL: "C",
  XDG_CONFIG_HOME: "/c",
  https_proxy: "http://proxy",
  NODE_EXTRA_CA_CERTS: "/ca.pem",
  NODE_COMPILE_CACHE: "/compiled",
};
const parent = {
  ...needed,
  AWS_SECRET_ACCESS_KEY: "no",
  NODE_OPTIONS: "--require evil",
  ACME_API_KEY: "acme",
  ACME_OTHER: "other",
  REINS_RUN: "outer",
  SystemRoot: "C:\\Windows",
  TZ: undefined,
};

test("passes only the variables that every program needs", () => {
  expect(childEnvironment(parent, {}, "linux")).toEqual(needed);
});

test("adds the variables that an agent declares by name, by prefix and by value", () => {
  expect(
    childEnvironment(
      { ...parent, HOME: undefined },
      { names: ["ACME_API_KEY"], set: { LC_ALL: "de", NEW: "1" } },
      "linux",
    ),
  ).toMatchObject({
    ACME_API_KEY: "acme",
    LC_ALL: "de",
    NEW: "1",
  });
  expect(Object.keys(childEnvironment(parent, { prefixes: ["ACME_"] }, "linux"))).toEqual(
    expect.arrayContaining(["ACME_API_KEY", "ACME_OTHER"]),
  );
});

test("ignores an empty prefix", () => {
  expect(childEnvironment(parent, { prefixes: [""] }, "linux")).toEqual(childEnvironment(parent, {}, "linux"));
});

test("compares names without case on Windows", () => {
  expect(childEnvironment({ Path: "C:\\", SystemRoot: "C:\\Windows", Secret: "no" }, {}, "win32")).toEqual({
    Path: "C:\\",
    SystemRoot: "C:\\Windows",
  });
});
