import { expect, test } from "vitest";
import { isSameRepository, publicAddress, repositoryOfRequest } from "./repository.ts";

test.each([
  ["https://github.com/o/r.git", "https://github.com/o/r"],
  ["https://ada:secret@github.com/o/r", "https://github.com/o/r"],
  ["git@github.com:o/r.git", "https://github.com/o/r"],
  ["github.com:o/r/", "https://github.com/o/r"],
  ["ssh://git@github.com:22/o/r.git", "https://github.com/o/r"],
  ["https://git.example.com:8443/o/r", "https://git.example.com:8443/o/r"],
  ["../elsewhere", undefined],
  ["/srv/r.git", undefined],
  ["file:///srv/r.git", undefined],
  ["", undefined],
])("%s is %s", (address, url) => expect(publicAddress(address)).toBe(url));

test.each([
  ["https://github.com/o/r/pull/7", "https://github.com/o/r"],
  ["https://github.com/o/r/pull/7/files", "https://github.com/o/r"],
  ["https://ada:secret@gitlab.com/o/sub/r/-/merge_requests/7", "https://gitlab.com/o/sub/r"],
  ["https://bitbucket.org/o/r/pull-requests/7", "https://bitbucket.org/o/r"],
  ["https://github.com/o/r", undefined],
  ["7", undefined],
])("the pull request %s is one of %s", (address, url) => expect(repositoryOfRequest(address)).toBe(url));

test("the same repository, with a scheme or without", () => {
  expect(isSameRepository("github.com/O/r", "https://github.com/o/r.git")).toBe(true);
  expect(isSameRepository("github.com/o/r", "https://github.com/o/other")).toBe(false);
});
