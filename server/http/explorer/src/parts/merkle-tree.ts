/** A Merkle path as a picture: the transaction at the foot, the root in the header at the top, and at each step the sibling that it is hashed with. */
import { h, svg } from '../dom.ts';
import type { Path } from '../chain/merkle-path.ts';

const STEP = 76;
const BOX = { width: 138, height: 40 };
const WIDTH = 340;

export function merkleTree(path: Path, expectedRoot: string, height: number): HTMLElement {
  const holds = path.root === expectedRoot;
  const levels = path.steps.length;
  const top = 8;
  const y = (level: number): number => top + (levels - level) * STEP;
  // The path goes up on its own side; each sibling is on the other side.
  const left = 4;
  const right = WIDTH - BOX.width - 4;
  const middle = (WIDTH - BOX.width) / 2;
  const xOfWay = (level: number): number => {
    const step = path.steps[level];
    return step === undefined ? middle : step.side === 'left' ? right : left;
  };
  const lines: SVGElement[] = [];
  const boxes: SVGElement[] = [];
  const centre = (x: number): number => x + BOX.width / 2;
  const link = (x: number, level: number, isWay: boolean): void => {
    const [fromX, fromY, toX, toY] = [centre(x), y(level), centre(xOfWay(level + 1)), y(level + 1) + BOX.height];
    const bend = (fromY + toY) / 2;
    lines.push(
      svg('path', {
        d: `M${fromX} ${fromY}C${fromX} ${bend} ${toX} ${bend} ${toX} ${toY}`,
        class: isWay ? 'way' : 'other',
      }),
    );
  };
  const hashes = [path.leaf, ...path.steps.map(({ parent }) => parent)];
  for (const [level, hash] of hashes.entries()) {
    const step = path.steps[level];
    const isRoot = level === levels;
    boxes.push(
      box(
        xOfWay(level),
        y(level),
        isRoot ? (holds ? 'good' : 'bad') : 'way',
        isRoot ? 'data hash' : level === 0 ? 'this transaction' : 'computed',
        hash,
      ),
    );
    if (step === undefined) continue;
    const x = step.side === 'left' ? left : right;
    boxes.push(box(x, y(level), 'other', 'from the proof', step.sibling));
    link(xOfWay(level), level, true);
    link(x, level, false);
  }
  boxes.push(tick(xOfWay(levels) + BOX.width, y(levels), holds));
  const size = top + levels * STEP + BOX.height + 8;
  const steps = `${levels} ${levels === 1 ? 'step' : 'steps'}`;
  const label = `A path of ${steps} from this transaction to the data hash of block ${height}. ${holds ? 'It ends at the data hash in the header.' : 'It ends elsewhere.'}`;
  return h(
    'figure',
    { class: 'merkle' },
    svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${size}`, width: WIDTH, height: size, role: 'img', 'aria-label': label },
      ...lines,
      ...boxes,
    ),
    h(
      'figcaption',
      { class: 'soft small' },
      levels === 0
        ? 'The only transaction of its block: its hash is the root.'
        : `${steps} up. Each box is SHA-256 over the two below it.`,
    ),
  );
}

/** The mark at the corner of the root: a tick if the computed root equals the one in the header, otherwise a cross. */
function tick(x: number, y: number, holds: boolean): SVGElement {
  return svg(
    'g',
    { class: `tick ${holds ? 'good' : 'bad'}`, transform: `translate(${x - 9} ${y - 7})` },
    svg('circle', { cx: 9, cy: 9, r: 8.5 }),
    svg('path', { d: holds ? 'M5.2 9.3l2.6 2.6 5-5.6' : 'M6 6l6 6M12 6l-6 6' }),
  );
}

function box(x: number, y: number, tone: string, name: string, hash: string): SVGElement {
  const middle = x + BOX.width / 2;
  const title = svg('title', {}, hash);
  return svg(
    'g',
    { class: `box ${tone}` },
    title,
    svg('rect', { x, y, width: BOX.width, height: BOX.height, rx: 8 }),
    svg('text', { x: middle, y: y + 16, class: 'name' }, name),
    svg('text', { x: middle, y: y + 31, class: 'hash' }, `${hash.slice(0, 8)}…${hash.slice(-4)}`),
  );
}
