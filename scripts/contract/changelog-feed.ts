/**
 * The changelog of the contract as an Atom feed (RFC 4287), for readers who want to follow new versions.
 *
 * Every time in it is the date of a heading, and every id is made from a version, so the same changelog gives the same bytes, and a feed
 * reader shows an entry once, from all services together. Links are relative: only the reader has the address of the service.
 */
import { escape } from '../../server/http/docs/html.ts';
import { renderMarkdown } from '../../server/http/docs/markdown.ts';

/** Tag URIs (RFC 4151) need an authority: this name is reserved for documentation, so no one else can make tags under it. */
const FEED_ID = 'tag:transaction-ledger.example,2026:contract';
const TITLE = 'Transaction Ledger API';
const HEADING = /^## (\d+\.\d+\.\d+)(?: \((\d{4}-\d{2}-\d{2})\))?$/;

interface Version {
  version: string;
  /** The form of an RFC 3339 date. */
  date: string;
  /** Markdown. */
  text: string;
}

/** Throws when a version has no date: its entry in the feed needs one. */
export function changelogFeed(changelog: string): string {
  const versions = versionsOf(changelog);
  const [newest] = versions;
  if (newest === undefined)
    throw new Error('spec/CHANGELOG.md has no version: no line such as "## 1.2.0 (2026-11-22)".');
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${FEED_ID}</id>
  <title>${TITLE}: changes of the contract</title>
  <updated>${timeOf(newest.date)}</updated>
  <author><name>Transaction Ledger</name></author>
  <link rel="self" type="application/atom+xml" href="changelog.atom"/>
  <link rel="alternate" type="text/html" href="docs/changelog"/>
${versions.map(entryOf).join('')}</feed>
`;
}

function entryOf({ version, date, text }: Version): string {
  return `  <entry>
    <id>${FEED_ID}/${version}</id>
    <title>${TITLE} ${version}</title>
    <updated>${timeOf(date)}</updated>
    <link rel="alternate" type="text/html" href="docs/changelog"/>
    <content type="html">${escape(htmlOf(text))}</content>
  </entry>
`;
}

/** Headings without anchors (`{#}`): in a reader of feeds they would lead nowhere. */
function htmlOf(text: string): string {
  return renderMarkdown(text.replaceAll(/^(#+ .*)$/gm, '$1 {#}')).html;
}

/** Newest first, as in the changelog. */
function versionsOf(changelog: string): Version[] {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const [, version, date] = HEADING.exec(heading) ?? [];
    if (version === undefined || date === undefined || Number.isNaN(Date.parse(timeOf(date)))) {
      throw new Error(`spec/CHANGELOG.md: "${heading}" is no version with its date, such as "## 1.2.0 (2026-11-22)".`);
    }
    return { version, date, text: lines.join('\n').trim() };
  });
}

const timeOf = (date: string): string => `${date}T00:00:00Z`;
