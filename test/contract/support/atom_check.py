"""Judges an Atom feed from standard input by the MUSTs of RFC 4287, with nothing of this project; prints what it read as JSON."""
import json, re, sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

ATOM = "{http://www.w3.org/2005/Atom}"
# Section 3.3: RFC 3339 with an upper-case T, and Z where there is no offset.
TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})")
IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
faults = []


class Balanced(HTMLParser):
    """HTML in which everything that is opened is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.text += data


def once(parent, name):
    found = parent.findall(ATOM + name)
    if len(found) != 1:
        faults.append(f"{parent.tag} has {len(found)} {name}")
    return (found[0].text or "").strip() if found else ""


def common(parent, allowed):
    for child in parent:
        if child.tag.removeprefix(ATOM) not in allowed:
            faults.append(f"{parent.tag} has {child.tag}")
    if not IRI.fullmatch(once(parent, "id")):
        faults.append(f"{once(parent, 'id')} is no IRI")
    if not TIME.fullmatch(once(parent, "updated")):
        faults.append(f"{once(parent, 'updated')} is no time")
    if not once(parent, "title"):
        faults.append("a title is empty")
    alternates = [(link.get("type"), link.get("hreflang")) for link in parent.findall(ATOM + "link") if link.get("rel", "alternate") == "alternate"]
    if len(alternates) != len(set(alternates)):
        faults.append(f"{once(parent, 'id')} has an alternate twice")
    if not all(link.get("href") for link in parent.findall(ATOM + "link")):
        faults.append("a link leads nowhere")
    for author in parent.findall(ATOM + "author"):
        once(author, "name")


feed = ElementTree.fromstring(sys.stdin.buffer.read())
if feed.tag != ATOM + "feed":
    faults.append(f"the root is {feed.tag}")
common(feed, {"author", "category", "contributor", "entry", "generator", "icon", "id", "link", "logo", "rights", "subtitle", "title", "updated"})
entries = []
for entry in feed.findall(ATOM + "entry"):
    common(entry, {"author", "category", "content", "contributor", "id", "link", "published", "rights", "source", "summary", "title", "updated"})
    if not (feed.findall(ATOM + "author") or entry.findall(ATOM + "author")):
        faults.append(f"{once(entry, 'id')} has no author")
    content = entry.find(ATOM + "content")
    if content is None or content.get("type") != "html" or len(content) > 0:
        faults.append(f"{once(entry, 'id')} has no content of type html, or elements in it")
    html = Balanced()
    html.feed(content.text if content is not None and content.text else "")
    html.close()
    if html.open:
        faults.append(f"{once(entry, 'id')} leaves {html.open} open")
    entries.append({"id": once(entry, "id"), "title": once(entry, "title"), "updated": once(entry, "updated"), "text": html.text})
if len({entry["id"] for entry in entries}) != len(entries):
    faults.append("an id is there twice")
self_links = [link.get("href") for link in feed.findall(ATOM + "link") if link.get("rel") == "self"]
print(json.dumps({"faults": faults, "id": once(feed, "id"), "updated": once(feed, "updated"), "self": self_links, "entries": entries}))
