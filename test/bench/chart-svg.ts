/** A line chart as SVG, readable on a light page and on a dark one: the colours follow `prefers-color-scheme`, the ground stays the page's. */
export interface Series {
  name: string;
  points: readonly { x: number; y: number }[];
}

export interface Chart {
  title: string;
  unit: string;
  series: readonly Series[];
}

const WIDTH = 560;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 110;
const TOP = 40;
const BOTTOM = 44;
const Y_STEPS = 4;
const LABEL_APART = 14;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #444 } .title { font-size: 14px; font-weight: 600; fill: #222 }
  .grid { stroke: #ddd } .s0 { stroke: #1f6feb; fill: #1f6feb } .s1 { stroke: #b35900; fill: #b35900 } .s2 { stroke: #1a7f37; fill: #1a7f37 }
  .line { fill: none; stroke-width: 2 } .label { stroke: none; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    text { fill: #bbb } .title { fill: #eee } .grid { stroke: #444 }
    .s0 { stroke: #79b8ff; fill: #79b8ff } .s1 { stroke: #ffa657; fill: #ffa657 } .s2 { stroke: #7ee787; fill: #7ee787 } .line { fill: none } .label { stroke: none }
  }`;
const COLOURS = 3;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const one = (value: number): string => value.toFixed(1);

/** The next of 1, 2, 2.5, 5 times a power of ten: an axis ends on a number that people read at a glance. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-9))!;
}

export function tickText(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  return value >= 1e4 ? `${Number((value / 1e3).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
}

/** x on a logarithmic axis, y from 0. */
export function chartSvg({ title, unit, series }: Chart): string {
  const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
  const yMax = niceCeiling(Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y))));
  const [low, high] = [Math.log10(Math.min(...xs)), Math.log10(Math.max(...xs))];
  const width = WIDTH - LEFT - RIGHT;
  const height = HEIGHT - TOP - BOTTOM;
  const px = (x: number): number => LEFT + (high === low ? 0.5 : (Math.log10(x) - low) / (high - low)) * width;
  const py = (y: number): number => TOP + (1 - y / yMax) * height;
  const parts = [`<text class="title" x="16" y="22">${escaped(`${title}, ${unit}`)}</text>`];
  for (let step = 0; step <= Y_STEPS; step += 1) {
    const y = (yMax * step) / Y_STEPS;
    parts.push(
      `<line class="grid" x1="${LEFT}" x2="${LEFT + width}" y1="${one(py(y))}" y2="${one(py(y))}"/>`,
      `<text x="${LEFT - 8}" y="${one(py(y) + 4)}" text-anchor="end">${tickText(y)}</text>`,
    );
  }
  for (const x of [...new Set(xs)].toSorted((a, b) => a - b))
    parts.push(`<text x="${one(px(x))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${tickText(x)}</text>`);
  parts.push(`<text x="${LEFT + width / 2}" y="${HEIGHT - 8}" text-anchor="middle">transfers in the history</text>`);
  // Names stand at the ends of their lines, moved apart where two lines end close together.
  const ends = series.map(({ points }, index) => ({ index, y: py(points.at(-1)!.y) })).toSorted((a, b) => a.y - b.y);
  for (const [at, end] of ends.entries()) if (at > 0) end.y = Math.max(end.y, ends[at - 1]!.y + LABEL_APART);
  for (const [index, { name, points }] of series.entries()) {
    const colour = `s${index % COLOURS}`;
    parts.push(
      `<polyline class="line ${colour}" points="${points.map(({ x, y }) => `${one(px(x))},${one(py(y))}`).join(' ')}"/>`,
    );
    for (const { x, y } of points)
      parts.push(`<circle class="${colour}" cx="${one(px(x))}" cy="${one(py(y))}" r="3"/>`);
    parts.push(
      `<text class="label ${colour}" x="${one(px(points.at(-1)!.x) + 10)}" y="${one(ends.find((end) => end.index === index)!.y + 4)}">${escaped(name)}</text>`,
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">\n<style>${STYLE}\n</style>\n${parts.join('\n')}\n</svg>\n`;
}
