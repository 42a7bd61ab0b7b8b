import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { brokenLinks } from "../../scripts/lib/links.ts";

function broken(text: string): string[] {
  const root = mkdtempSync(join(tmpdir(), "reins-links-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "other.md"), "# A title, and `code`\n\n## Where is ...?\n\n## Twice\n\n## Twice\n");
  writeFileSync(join(root, "docs/page.md"), text);
  return brokenLinks(root, "docs/page.md").map(({ line, link, why }) => `${line}: ${link}: ${why}`);
}

test.each([
  "[a](../other.md)",
  "[a](../other.md#a-title-and-code) [b](../other.md#where-is-) [c](../other.md#twice-1)",
  "# Here\n\n[a](#here)",
  "[a](https://example.invalid/x#y) <mailto:a@example.invalid>",
  "`[a](nowhere.md)`\n\n```\n[a](nowhere.md)\n```",
])("accepts %j", (text) => expect(broken(text)).toEqual([]));

test.each([
  ["first\n\n[a](nowhere.md)", "3: nowhere.md: there is no docs/nowhere.md"],
  ["[a](../other.md#nothing)", "1: ../other.md#nothing: other.md has no heading #nothing"],
  ["[a](#nothing)", "1: #nothing: docs/page.md has no heading #nothing"],
  ["![a](picture.png)", "1: picture.png: there is no docs/picture.png"],
  ["[a][b]\n\n[b]: gone.md", "1: gone.md: there is no docs/gone.md"],
  ["[a](../../outside.md)", "1: ../../outside.md: it leads out of the repository"],
])("refuses %j", (text, expected) => expect(broken(text)).toEqual([expected]));
