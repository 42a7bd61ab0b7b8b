import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { textOfHtml } from "./tools/web.ts";

const at = "https://site.example/docs/page.html";

test.each([
  ["<p>One</p><p>Two &amp; three</p>", "One\n\nTwo & three"],
  ["<head><title>T</title></head>Body", "Body"],
  ["a<script>if (a < b) alert('</p>')</script>b<STYLE>p{}</STYLE >c", "abc"],
  ["a<!-- <p>no</p> -->b", "ab"],
  ["&lt;b&gt; &#65;&#x42; &nbsp;x &unknown; &#0;", "<b> AB x &unknown; \uFFFD"],
  ["&eacute;&mdash;&hellip;&copy;&#8364;&notin;", "é—…©€∉"],
  ["one   two\t three<br>four", "one two three\nfour"],
  ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
  ["if (a<b && c>d) x", "if (ad) x"],
  ["cut <p", "cut"],
  ["<script>never ends", ""],
  ["<noscript>a</noscript><template>b</template><svg><text>c</text></svg>d", "d"],
  ["<pre>a\n   b &lt;c&gt;\n\n\td</pre>", "a\n   b <c>\n\n\td"],
  ["<h1>Title</h1><ul><li>a<li>b</ul>", "Title\n\n * a\n * b"],
  ["<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>d", "a b \nc \n\nd"],
  ["<body><p>a</body><p>b", "a\n\nb"],
  ["<a href='/x'>see</a>", "see [https://site.example/x]"],
  ['<a href="more?y=1">see</a>', "see [https://site.example/docs/more?y=1]"],
  ["<a href='#top'>up</a>", "up"],
  ["<a href='https://a.example/'>https://a.example/</a>", "https://a.example/"],
  ["<a href='http://['>odd</a>", "odd [http://[]"],
])("converts %s", async (html, expected) => {
  expect(await textOfHtml(html, at)).toBe(expected);
});

test.each([
  ["nested tags", "<div>", ""],
  ["nested lists", "<ul><li>", ""],
  ["unmatched closing tags", "<b>", "</i>"],
  ["ends alone", "", "</p>"],
  ["nested links", '<a href="x">', ""],
  ["brackets", "<", ""],
  ["signs", "&am", ""],
])("converts two megabytes of %s within the time of a test", async (_, first, second) => {
  const times = 1_000_000;
  const page = first.repeat(times / (first.length || 1)) + second.repeat(times / (second.length || 1));
  expect(await textOfHtml(`words ${page}`, at)).toMatch(/^words/);
});

test("converts any page to text", async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("<", ">", "</", "<!--", "-->", "<script>", "</script", "&#", ";", "<p>", "<a href=", "<td>"),
  );
  const text = (pieces: readonly string[]) => textOfHtml(pieces.join(""), at);
  await fc.assert(fc.asyncProperty(fc.array(piece), async (pieces) => typeof (await text(pieces)) === "string"));
});
