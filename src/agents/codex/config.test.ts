import { expect, test } from "vitest";
import { keyVariablesIn, parseConfig, providerIn } from "./program.ts";

const toml = `
model_provider = "mine" # as it is
# env_key = "NOT_THIS"
[model_providers.mine]
env_key = "MINE_KEY"
[model_providers.other]
env_key = 'OTHER_KEY'
[mcp_servers.web]
bearer_token_env_var = "WEB_TOKEN"
`;

test("reads the model provider from the settings", async () => {
  const config = await parseConfig(toml);
  expect(keyVariablesIn(config)).toEqual(["MINE_KEY", "OTHER_KEY", "WEB_TOKEN"]);
  expect(providerIn(config)).toEqual({ name: "mine", keyVariable: "MINE_KEY" });
});

const mine = { name: "mine", keyVariable: "KEY" };

/** Columns: settings file, variables that it names, model provider, and address of OpenAI. */
test.each<[string, string, string[], object | undefined, string?]>([
  ["a provider in a profile only", 'model = "gpt-5.5"\n[profiles.x]\nmodel_provider = "mine"', [], undefined],
  ["OpenAI by name", 'model_provider = "openai"', [], undefined],
  [
    "one that comes with Codex",
    'model_provider = "ollama"',
    [],
    {
      name: "ollama",
      keyVariable: undefined,
    },
  ],
  [
    "a quoted table name",
    'model_provider = "my.own"\n[model_providers."my.own"]\nenv_key = "KEY"',
    ["KEY"],
    { ...mine, name: "my.own" },
  ],
  ["dotted keys", 'model_provider = "mine"\nmodel_providers.mine.env_key = "KEY"', ["KEY"], mine],
  ["dotted keys with spaces", 'model_provider = "mine"\nmodel_providers . "mine" . env_key = "KEY"', ["KEY"], mine],
  [
    "an inline table",
    'model_provider = "mine"\nmodel_providers = { mine = { name = "x", env_key = "KEY" } }',
    ["KEY"],
    mine,
  ],
  [
    "an inline table in a table",
    'model_provider = "mine"\n[model_providers]\nmine = { env_key = "KEY" }',
    ["KEY"],
    mine,
  ],
  ["spaces in a header", 'model_provider = "mine"\n[ model_providers . mine ]\nenv_key = "KEY"', ["KEY"], mine],
  [
    "an indented header with a comment",
    'model_provider = "mine"\n  [model_providers.mine] # here\n  env_key = "KEY" # there',
    ["KEY"],
    mine,
  ],
  ["a quoted key", '"model_provider" = "mine"\n[model_providers.mine]\n"env_key" = "KEY"', ["KEY"], mine],
  [
    "an escape",
    String.raw`model_provider = "m\u0069ne"${"\n"}[model_providers.mine]${"\n"}env_key = "K\u0045Y"`,
    ["KEY"],
    mine,
  ],
  [
    "an array of arrays before the key",
    'x = [\n  [1, 2],\n  ["[a]"],\n]\nmodel_provider = "mine"\n[model_providers.mine]\nenv_key = "KEY"',
    ["KEY"],
    mine,
  ],
  [
    "a table before a dotted sub-table",
    '[model_providers.mine.http_headers]\na = "b"\n[model_providers.mine]\nenv_key = "KEY"',
    ["KEY"],
    undefined,
  ],
  [
    "an array of tables beside it",
    '[[x]]\nenv_key = "NO"\n[[x]]\nenv_key = "NO"\n[model_providers.mine]\nenv_key = "KEY"',
    ["KEY"],
    undefined,
  ],
  [
    "a key named in a text of several lines",
    'x = """\nenv_key = "SECRET"\n[model_providers.mine]\nenv_key = "SECRET"\n"""',
    [],
    undefined,
  ],
  [
    "... in a literal one",
    "x = '''\nmodel_provider = \"mine\"\n[mcp_servers.a]\nbearer_token_env_var = \"SECRET\"\n'''",
    [],
    undefined,
  ],
  [
    "a key named in a text of one line",
    `x = 'env_key = "SECRET"'\n[model_providers.mine]\nnote = 'env_key = "SECRET"'`,
    [],
    undefined,
  ],
  [
    "a key of that name elsewhere",
    '[tools]\nenv_key = "SECRET"\n[mcp_servers.a.env]\nenv_key = "SECRET"',
    [],
    undefined,
  ],
  [
    "a key that is no name of a variable",
    '[model_providers.a]\nenv_key = "A B"\n[model_providers.b]\nenv_key = 1\n[model_providers.c]\nenv_key = ["D"]',
    [],
    undefined,
  ],
  [
    "the same key twice",
    '[model_providers.a]\nenv_key = "KEY"\n[model_providers.b]\nenv_key = "KEY"',
    ["KEY"],
    undefined,
  ],
  [
    "a byte order mark and Windows line ends",
    '\uFEFFmodel_provider = "mine"\r\n[model_providers.mine]\r\nenv_key = "KEY"\r\n',
    ["KEY"],
    mine,
  ],
  [
    "a name that every object inherits",
    'model_provider = "constructor"',
    [],
    { name: "constructor", keyVariable: undefined },
  ],
  ["another address for OpenAI", "openai_base_url = 'http://127.0.0.1:1/v1'", [], undefined, "http://127.0.0.1:1/v1"],
  ["... in a text", 'x = """\nopenai_base_url = "http://evil"\n"""', [], undefined],
  ["no TOML", 'model_provider = "mine"\n[model_providers.mine\nenv_key = "KEY"', [], undefined],
  [
    "dates and numbers",
    'a = 1979-05-27T07:32:00Z\nb = 0xff\nc = inf\nmodel_provider = "mine"\n[model_providers.mine]\nenv_key = "KEY"',
    ["KEY"],
    mine,
  ],
  ["nothing", "", [], undefined],
])("%s", async (_, text, variables, provider, url) => {
  const config = await parseConfig(text);
  expect(keyVariablesIn(config)).toEqual(variables);
  expect(providerIn(config)).toEqual(provider);
  expect(config["openai_base_url"]).toBe(url);
});
