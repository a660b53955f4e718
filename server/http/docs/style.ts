/** The one style sheet of all pages. It stands in the page, allowed by its hash, so that a page is one request. */
import { createHash } from 'node:crypto';

export const STYLE = `
:root { color-scheme: light dark; --bg: #fbfbf9; --panel: #ffffff; --ink: #1c2024; --soft: #5b646e; --line: #e3e4e0; --accent: #0f5f6b;
  --code: #f1f1ec; --get: #1d6b3a; --post: #0f5f6b; --delete: #9c2f2a; --shade: #f5f5f1; }
@media (prefers-color-scheme: dark) { :root { --bg: #14171a; --panel: #1a1e22; --ink: #e6e8ea; --soft: #9aa5b0; --line: #2b3138; --accent: #6cc5d2;
  --code: #22272d; --get: #6fcf97; --post: #6cc5d2; --delete: #f0908a; --shade: #1f2429; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 1rem; background: var(--panel); padding: .5rem 1rem; z-index: 2; }
code, pre, .mono { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: .875em; }
code { background: var(--code); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--code); padding: .9rem 1rem; border-radius: 8px; overflow-x: auto; line-height: 1.5; margin: .6rem 0 1rem; }
pre code { background: none; padding: 0; }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav.side { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav.side .name { font-weight: 650; font-size: 1.05rem; color: inherit; text-decoration: none; }
nav.side h2 { font-size: .72rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 .35rem; border: 0; padding: 0; }
nav.side ul { list-style: none; margin: 0; padding: 0; } nav.side li { margin: .1rem 0; }
nav.side a { color: var(--ink); text-decoration: none; display: block; padding: .12rem .4rem; border-radius: 5px; overflow-wrap: anywhere; }
nav.side a:hover { background: var(--shade); color: var(--accent); }
main { padding: 2.5rem 3rem 6rem; min-width: 0; max-width: 62rem; }
main.plain { margin: 0 auto; max-width: 44rem; padding-top: 12vh; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .4rem; }
h2 { font-size: 1.45rem; margin: 3.2rem 0 .8rem; padding-top: 1.4rem; border-top: 1px solid var(--line); letter-spacing: -.01em; }
h3 { font-size: 1.15rem; margin: 2.4rem 0 .4rem; } h4 { font-size: .78rem; letter-spacing: .07em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 .4rem; }
p { margin: .5rem 0 .9rem; } .lead { color: var(--soft); font-size: 1.1rem; } .soft { color: var(--soft); }
section.card { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 1.3rem 1.6rem 1.1rem; margin: 1.3rem 0; }
section.card > h3:first-child { margin-top: 0; } section.card:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.route { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .95rem; margin: .2rem 0 .6rem; overflow-wrap: anywhere; }
.verb { display: inline-block; font-weight: 700; font-size: .72rem; letter-spacing: .05em; padding: .12rem .5rem; margin-right: .5rem; border-radius: 4px; border: 1px solid currentColor; }
.get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); }
.tag { font-size: .72rem; font-weight: 600; color: var(--soft); border: 1px solid var(--line); border-radius: 999px; padding: .05rem .5rem; white-space: nowrap; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .92rem; margin: .3rem 0 1rem; }
th { text-align: left; font-size: .74rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); font-weight: 600; }
th, td { padding: .5rem .8rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; } td:first-child { white-space: nowrap; } td p { margin: 0 0 .3rem; }
td.wrap { white-space: normal; overflow-wrap: anywhere; } .rule { color: var(--soft); font-size: .85rem; }
details { margin: .3rem 0; } summary { cursor: pointer; color: var(--soft); font-size: .88rem; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.4rem; margin: 1.2rem 0; } dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
ul.links { list-style: none; padding: 0; margin: 1.4rem 0; border-top: 1px solid var(--line); }
ul.links li { border-bottom: 1px solid var(--line); } ul.links a { display: grid; grid-template-columns: 9rem 1fr; gap: 1rem; padding: .65rem .2rem; text-decoration: none; }
ul.links a:hover { background: var(--shade); } ul.links span { color: var(--soft); }
footer { margin-top: 4rem; color: var(--soft); font-size: .85rem; border-top: 1px solid var(--line); padding-top: 1rem; }
@media (max-width: 60rem) { .frame { display: block; } nav.side { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1.2rem; }
  nav.side h2 { margin-top: .8rem; } nav.side ul { display: flex; flex-wrap: wrap; gap: 0 .3rem; } td:first-child { white-space: normal; } main { padding: 1.5rem 1.2rem 4rem; } h1 { font-size: 1.7rem; } ul.links a { grid-template-columns: 6rem 1fr; }
  section.card { padding: 1rem; } }
@media print { nav.side { display: none; } .frame { display: block; } section.card { break-inside: avoid; } }
`;

const HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded, run, framed or posted; the icon is a data URL. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
