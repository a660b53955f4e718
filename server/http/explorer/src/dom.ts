/** Elements without a framework. Text is never parsed as HTML, neither here nor anywhere in the explorer. */
export type Child = Node | string | number | undefined | false | readonly Child[];
type Value = string | number | boolean | undefined | ((event: never) => void);
export type Attributes = Readonly<Record<string, Value>>;

/**
 * @param attributes `onclick` and the like take functions; true is an attribute without a value, false and undefined none.
 * @example h('a', { href: '#/block/12' }, 'Block 12')
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an SVG element in the same way. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return [typeof child === 'number' ? String(child) : (child as Node | string)];
  });
}

/** Replaces the children of an element. An equal text is not replaced, so that screen readers do not read it again. */
export function put(element: Element, ...children: Child[]): void {
  const next = nodes(children);
  if (
    next.length === 1 &&
    typeof next[0] === 'string' &&
    element.childElementCount === 0 &&
    element.textContent === next[0]
  )
    return;
  element.replaceChildren(...next);
}
