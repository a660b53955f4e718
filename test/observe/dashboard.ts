/** What makes a Grafana dashboard a sound one, without a Grafana: its form, its grid, and the metrics that its expressions name. */

export interface Dashboard {
  uid: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string }[] };
  panels: Panel[];
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string }[];
}

const GRID_COLUMNS = 24;
/** Of Grafana 10 and 11, which bring older ones up to date and refuse none of these. */
const SCHEMA_VERSIONS = { min: 36, max: 41 };
const VARIABLES = ['datasource', 'instance'];
/** Words of PromQL that stand where a metric could. */
const KEYWORDS = new Set([
  'by',
  'without',
  'and',
  'or',
  'unless',
  'on',
  'ignoring',
  'offset',
  'bool',
  'group_left',
  'group_right',
]);

/** As Grafana fills them in. */
const filledIn = (expr: string): string => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');

/** Every expression of every panel, its variables filled in. */
export function expressionsOf({ panels }: Pick<Dashboard, 'panels'>): string[] {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => filledIn(expr)));
}

/** The metrics that an expression of PromQL names: words that are no function, no label and no keyword. */
export function metricNames(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ');
  const names = [...bare.matchAll(/(?<![\w.:])[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g)].map(([name]) => name);
  return [...new Set(names.filter((name) => !KEYWORDS.has(name)))];
}

export function dashboardFaults(dashboard: Dashboard, known: ReadonlySet<string>): string[] {
  const { panels, schemaVersion, templating } = dashboard;
  const faults: string[] = [];
  if (schemaVersion < SCHEMA_VERSIONS.min || schemaVersion > SCHEMA_VERSIONS.max)
    faults.push(`schemaVersion ${schemaVersion}`);
  for (const name of VARIABLES)
    if (!templating.list.some((variable) => variable.name === name)) faults.push(`there is no variable ${name}`);
  if (new Set(panels.map(({ id }) => id)).size < panels.length) faults.push('two panels have one id');
  for (const [at, panel] of panels.entries()) {
    const { title, type, targets = [], gridPos } = panel;
    if (gridPos.x < 0 || gridPos.x + gridPos.w > GRID_COLUMNS) faults.push(`${title} is wider than the grid`);
    for (const other of panels.slice(at + 1))
      if (overlap(gridPos, other.gridPos)) faults.push(`${title} overlaps ${other.title}`);
    if (type !== 'row' && targets.length === 0) faults.push(`${title} asks for nothing`);
    if (new Set(targets.map(({ refId }) => refId)).size < targets.length)
      faults.push(`${title} has two queries of one name`);
    for (const { expr } of targets) {
      for (const name of metricNames(filledIn(expr)))
        if (!known.has(name)) faults.push(`${title} asks for ${name}, which the service does not have`);
      if (!expr.includes('instance=~"$instance"')) faults.push(`${title} shows instances that were not chosen`);
    }
  }
  return faults;
}

const overlap = (a: Panel['gridPos'], b: Panel['gridPos']): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
