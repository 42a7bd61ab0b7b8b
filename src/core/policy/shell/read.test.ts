import { describe, expect, it } from "vitest";
import { readCommandLine } from "./read.ts";

/** The commands but those that only carry others, what is written and read, and `…` where that may not be all. */
function seen(line: string): string {
  const { commands, files, dynamic } = readCommandLine(line);
  const said = commands.filter(({ carrier }) => !carrier).map(({ words }) => words.map(({ text }) => text).join(" "));
  const used = files.map(({ path, op }) => `${op === "write" ? ">" : "<"}${path}`);
  return [...said, ...used, ...(dynamic ? ["…"] : [])].join(" | ");
}

describe("commands that are all that happens", () => {
  it.each([
    ["git status && rm -rf x", "git status | rm -rf x"],
    ["a || b; c | d & e\nf |& g", "a | b | c | d | e | f | g"],
    ["(cd a; rm x)", "cd a | rm x"],
    ["{ rm x; }", "rm x"],
    ["! rm x", "rm x"],
    ["r''m x", "rm x"],
    ['"rm" x', "rm x"],
    ["\\rm x", "rm x"],
    ["r\\m x", "rm x"],
    ["r\\\nm x", "rm x"],
    ["/bin/rm x", "/bin/rm x"],
    ["echo 'a && rm x' \"b; rm y\"", "echo a && rm x b; rm y"],
    ["echo \\; rm", "echo ; rm"],
    ["bash -c 'rm x'", "rm x"],
    ['/bin/bash -lc "cd a && rm x"', "cd a | rm x"],
    ["bash -euo pipefail -c 'rm x'", "rm x"],
    ["sh -c 'sh -c \"rm x\"'", "rm x"],
    ["./bash -c 'rm x'", "./bash -c rm x | rm x"],
    ["bash build.sh", "bash build.sh"],
    ["sudo -u bob rm x", "sudo -u bob rm x | rm x"],
    ["sudo sudo rm x", "sudo sudo rm x | sudo rm x | rm x"],
    ["time -p nice -n 5 nohup rm x", "rm x"],
    ["timeout -k 5 10 rm x", "rm x"],
    ["command rm x", "rm x"],
    ["command -v rm", "command -v rm"],
    ["exec rm x", "rm x"],
    ["env rm x", "env rm x | rm x"],
    ["npm test > out.txt 2>&1", "npm test | >out.txt"],
    ["npm test >>a 2>b <c >|d &>e", "npm test | >a | >b | <c | >d | >e"],
    ["npm test 2>/dev/null", "npm test"],
    ["> empty", ">empty"],
    ["echo a >'my file'", "echo a | >my file"],
    ["ls *.ts", "ls *.ts"],
    ["npm test # && rm x", "npm test"],
    ["[ -f x ] && rm y", "[ -f x ] | rm y"],
    ["cat > a.txt <<'EOF'\nrm -rf /\nEOF\nls", "cat | ls | >a.txt"],
    ["cat <<-EOF\n\trm x\n\tEOF\nls", "cat | ls"],
    ["git show HEAD@{1}", "git show HEAD@{1}"],
    ["", ""],
    ["  \n\n ", ""],
  ])("%s", (line, expected) => expect(seen(line)).toBe(expected));
});

describe("commands behind which there may be more", () => {
  it.each([
    ["rm $X", "rm  | …"],
    ["$RM x", " x | …"],
    ["r$'\\x6d' x", "r x | …"],
    ["echo $(rm x)", "rm x | echo  | …"],
    ['echo "a `rm x` b"', "rm x | echo a  b | …"],
    ["echo ${X:-$(rm x)}", "rm x | echo  | …"],
    ["echo $((1 + $(rm x)))", "rm x | 1 +  | echo  | …"],
    ["diff <(rm x) b", "rm x | diff  b | …"],
    ["r* x", "r* x | …"],
    ["{rm,x}", "{rm,x} | …"],
    ["=rm x", "=rm x | …"],
    ["eval 'rm x'", "eval rm x | rm x | …"],
    ["trap 'rm x' EXIT", "trap rm x EXIT | rm x | …"],
    ["source a.sh", "source a.sh | …"],
    [". a.sh", ". a.sh | …"],
    ["alias ls=rm; ls x", "alias ls=rm | ls x | …"],
    ["if true; then rm x; fi", "true | rm x | …"],
    ["for f in a b; do rm $f; done", "rm  | …"],
    ["while read f; do rm x; done < list", "read f | rm x | <list | …"],
    ["case a in a) rm x;; esac", "rm x | …"],
    ["f() { rm x; }; f", "f | rm x | f | …"],
    ["function f { rm x; }", "rm x | …"],
    ["PATH=. npm test", "npm test | …"],
    ["PATH=.; npm test", "npm test | …"],
    ["env PATH=. npm test", "env PATH=. npm test | npm test | …"],
    ["env -S 'rm x'", "env -S rm x | rm x | …"],
    ["ls | xargs -n 1 rm -f", "ls | xargs -n 1 rm -f | rm -f | …"],
    ["find . -exec rm {} \\;", "find . -exec rm {} ; | rm {} | …"],
    ["sudo --user bob rm x", "sudo --user bob rm x | rm x | …"],
    ["timeout --sig KILL 5 rm x", "rm x | …"],
    ["ls | xargs --max-args 1 rm", "ls | xargs --max-args 1 rm | rm | …"],
    ["ls | xargs -i rm {}", "ls | xargs -i rm {} | rm {} | …"],
    ["/usr/bin/time -f key -o .ssh/authorized_keys ls", "ls | …"],
    ["time --output=a ls", "ls | …"],
    ["exec -a rm ls x", "ls x | …"],
    ["echo 'rm x' | sh -s -c ls", "echo rm x | ls | …"],
    ["bash --rcfile ./a -i -c ls", "ls | …"],
    ["bash -kc 'git log GIT_PAGER=./a'", "git log GIT_PAGER=./a | …"],
    ["bash -o keyword -c 'git log GIT_PAGER=./a'", "git log GIT_PAGER=./a | …"],
    ["echo x >! /etc/a", "echo x /etc/a | >! | …"],
    ["git p{},ush}", "git p{},ush} | …"],
    ["cat <<$x\na\n$x\nrm x", "cat | rm x | …"],
    ["cat <<$'E'\na\nE\nrm x", "cat | rm x | …"],
    ["cat <<EOF\nEO\\\nF\nrm x\nEOF", "cat | rm x | EOF"],
    ["curl x | sh", "curl x | sh | …"],
    ["echo x | python3 -", "echo x | python3 - | …"],
    ["bash <<< 'rm x'", "bash | rm x | …"],
    ["bash <<'EOF'\nrm x\nEOF", "bash | rm x | …"],
    ["python3 <<'EOF'\nimport os\nEOF", "python3 | …"],
    ["cat <<EOF\n$(rm x)\nEOF", "cat | rm x | …"],
    ["bash -oc posix 'rm x'", "rm x | …"],
    ["su -c 'rm x' bob", "su -c rm x bob | rm x"],
    ["echo x > $F", "echo x | …"],
    ["echo x > a*", "echo x | >a* | …"],
    ["echo 'open", "echo open | …"],
    ['echo "open', "echo open | …"],
    ["echo x >", "echo x | …"],
    ["echo )", "echo | …"],
    ["((x))", "x | …"],
  ])("%s", (line, expected) => expect(seen(line)).toBe(expected));
});

it("names what carries other commands too", () => {
  const carriers = readCommandLine("nohup bash -c 'time rm x'").commands.filter(({ carrier }) => carrier);
  expect(carriers.map(({ words }) => words[0]?.text)).toEqual(["nohup", "bash", "time"]);
});
