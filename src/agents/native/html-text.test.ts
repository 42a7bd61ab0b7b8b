import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { textOfHtml } from "./html-text.ts";

test.each([
  ["<p>One</p><p>Two &amp; three</p>", "One\n\nTwo & three"],
  ["<head><title>T</title></head>Body", "Body"],
  ["a<script>if (a < b) alert('</p>')</script>b<STYLE>p{}</STYLE >c", "abc"],
  ["a<!-- <p>no</p> -->b", "ab"],
  ["&lt;b&gt; &#65;&#x42; &nbsp;x &unknown; &#0;", "<b> AB x &unknown; &#0;"],
  ["one   two\t three<br>four", "one two three\nfour"],
  ["cut <p", "cut"],
  ["<script>never ends", ""],
])("%s", (html, expected) => {
  expect(textOfHtml(html)).toBe(expected);
});

test("whatever a page is made of, it becomes text", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("<", ">", "</", "<!--", "-->", "<script>", "</script", "&#", ";", "<p>"),
  );
  const text = (pieces: readonly string[]) => textOfHtml(pieces.join(""));
  fc.assert(fc.property(fc.array(piece), (pieces) => typeof text(pieces) === "string"));
});
