/** Style sheet of the exported page. Follows the light or dark scheme of the reader's system. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #ffffff; --ink: #22201d; --quiet: #6f6a63; --line: #e6e2db;
  --accent: #b4532a; --you: #f4efe7; --code: #f5f2ec; --good: #2f7d4f; --bad: #b3362b; --warn: #96690a;
  --added: #e4f4e8; --removed: #fbe7e4; --hunk: #6a5acd;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #171614; --card: #1e1d1a; --ink: #e8e4dc; --quiet: #9a948a; --line: #34312c;
    --accent: #e58a5c; --you: #262420; --code: #24221f; --good: #6cc28e; --bad: #ef8177; --warn: #d9b25a;
    --added: #1b3324; --removed: #3d2220; --hunk: #a79bff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
a { color: var(--accent); text-underline-offset: .15em; }
h1, h2, h3, h4, h5, h6, p, li, summary, td, th, .said { overflow-wrap: anywhere; unicode-bidi: isolate; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
header { padding-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 1rem 0 0; font-size: .875rem; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.quiet, time { color: var(--quiet); }
section { margin-top: 2.5rem; }
.you { background: var(--you); border-radius: .75rem; padding: .75rem 1rem; }
.who { display: flex; gap: .75rem; align-items: baseline; margin: 0 0 .35rem; font-size: .8125rem; font-weight: 600; }
.who time, .who a { margin-left: auto; font-weight: 400; font-size: .75rem; color: var(--quiet); text-decoration: none; }
.said { white-space: pre-wrap; }
.agent { margin-top: 1.25rem; }
.agent > .who { color: var(--accent); }
.answer > :first-child { margin-top: 0; }
.answer > :last-child { margin-bottom: 0; }
.answer { margin: .85rem 0; }
.answer p { margin: .6rem 0; white-space: pre-line; }
.answer h3, .answer h4, .answer h5, .answer h6 { margin: 1.3rem 0 .4rem; font-size: 1.0625rem; line-height: 1.35; }
.answer ul, .answer ol { margin: .5rem 0; padding-inline-start: 1.4rem; }
.answer li { margin: .15rem 0; white-space: pre-line; }
blockquote { margin: .6rem 0; padding-inline-start: .9rem; border-inline-start: 3px solid var(--line); color: var(--quiet); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0; }
code, pre { font-family: var(--mono); font-size: .84em; }
code { background: var(--code); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .7rem .85rem; background: var(--code); border-radius: .5rem; max-height: 32rem; overflow: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; tab-size: 4; unicode-bidi: isolate; }
pre code { background: none; padding: 0; font-size: 1em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: start; vertical-align: top; }
th { background: var(--code); font-weight: 600; }
details { margin: .4rem 0; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
details[open] > summary { border-bottom: 1px solid var(--line); }
details > .inside { padding: .25rem .85rem .6rem; }
summary { cursor: pointer; padding: .4rem .75rem; font-size: .875rem; list-style-position: inside; }
summary:hover { background: var(--code); }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.more { color: var(--quiet); font-size: .8125rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.label { margin: .6rem 0 -.25rem; font-size: .75rem; color: var(--quiet); }
.line { margin: .4rem 0; font-size: .875rem; color: var(--quiet); }
.line.bad { color: var(--bad); } .line.warn { color: var(--warn); }
.thought { border-style: dashed; } .thought .inside { color: var(--quiet); }
.plan { margin: .6rem 0; padding: 0; list-style: none; font-size: .9rem; }
.plan .done { color: var(--quiet); text-decoration: line-through; }
.plan .now { font-weight: 600; }
.diff span { display: block; min-height: 1.5em; margin: 0 -.85rem; padding: 0 .85rem; }
.diff .added { background: var(--added); } .diff .removed { background: var(--removed); }
.diff .hunk { color: var(--hunk); }
.end { margin: .9rem 0 0; font-size: .8125rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.end.bad { color: var(--bad); }
img { display: block; max-width: 100%; height: auto; margin: .6rem 0; border-radius: .5rem; border: 1px solid var(--line); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--quiet); }
@media (max-width: 30rem) { main { padding: 1.5rem .9rem 3rem; } .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: .3rem; } }
@media print { body { background: none; } pre { max-height: none; } details { break-inside: avoid; } }
`;

/** Digest of `style` for the page's Content-Security-Policy. A test checks that it matches. */
export const styleDigest = "sha256-KH76nR4M8imyAxomhnvoTG5TY4ZpcFVgUfJcPeSDWiE=";
