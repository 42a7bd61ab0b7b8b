import { expect, test } from "vitest";
import { parseCommandLine } from "./command-line.ts";

test.each([
  ["goose acp", ["goose", "acp"]],
  ["  npx  -y\tpkg@^1.2 --flag=a,b ", ["npx", "-y", "pkg@^1.2", "--flag=a,b"]],
  [`"/opt/my agent/run" 'a "b" $c' d\\ e`, ["/opt/my agent/run", 'a "b" $c', "d e"]],
  [`x "a \\"b\\" \\\\ \\n" '' y"z"'w'`, ["x", 'a "b" \\ \\n', "", "yzw"]],
  ["./run.sh ünïcode", ["./run.sh", "ünïcode"]],
])("parses %s", (line, [command, ...args]) => {
  expect(parseCommandLine(line)).toEqual({ command, args });
});

test.each([
  ["a | b", "|"],
  ["a && b", "&"],
  ["a; rm -rf /", ";"],
  ["a > b", ">"],
  ["a < b", "<"],
  ["a $(b)", "$"],
  ["a `b`", "`"],
  ['a "$HOME"', "$"],
  ['a "`b`"', "`"],
  ["a *.js", "*"],
  ["a ?", "?"],
  ["~/a", "~"],
  ["a {b,c}", "{"],
  ["a # b", "#"],
  ["a\nb", "a line break"],
])("refuses the shell syntax in %j", (line, letter) => {
  expect(() => parseCommandLine(line)).toThrow(
    `This command line contains ${letter}, which only a shell understands, and Reins uses no shell.`,
  );
});

test.each([
  ["", "names no command"],
  ["a 'b", "has a ' that is not closed"],
  ['a "b', 'has a " that is not closed'],
  ["KEY=1 a", "begins with a variable (KEY=1)"],
])("refuses %j", (line, why) => {
  expect(() => parseCommandLine(line)).toThrow(why);
});
