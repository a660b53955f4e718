/** The configuration that a Containerfile gives its image, what must hold of it, and faults of the file that must be noticed. */

/** Of an image, as far as this project says something. */
export interface ImageConfig {
  User: string;
  Entrypoint: string[];
  Cmd: string[];
  Env: string[];
  StopSignal: string;
  Volumes: Record<string, object>;
  Healthcheck?: { Test: string[] };
}

export const UID = 65_532;

/** Of the last stage. An instruction that is missing leaves its value empty. */
export function configOf(containerfile: string): ImageConfig {
  const text = containerfile.replaceAll('\\\n', ' ');
  const stage = text.slice(text.lastIndexOf('\nFROM '));
  const value = (instruction: string): string =>
    new RegExp(`^${instruction} (.*)$`, 'm').exec(stage)?.[1]?.trim() ?? '';
  const list = (instruction: string): string[] => {
    const words = /\[.*\]$/.exec(value(instruction))?.[0];
    return words === undefined ? [] : (JSON.parse(words) as string[]);
  };
  const check = list('HEALTHCHECK');
  return {
    User: value('USER'),
    Entrypoint: list('ENTRYPOINT'),
    Cmd: list('CMD'),
    Env: value('ENV')
      .split(/\s+/)
      .filter((each) => each !== ''),
    StopSignal: value('STOPSIGNAL'),
    Volumes: value('VOLUME') === '' ? {} : { [value('VOLUME')]: {} },
    ...(check.length > 0 && { Healthcheck: { Test: ['CMD', ...check] } }),
  };
}

/** @returns what is wrong with it, as sentences. */
export function faultsOf(config: ImageConfig): string[] {
  const check = config.Healthcheck?.Test ?? [];
  return [
    ...(config.User === `${UID}:${UID}`
      ? []
      : [`USER is "${config.User}" and must be ${UID}:${UID}, by number and not root`]),
    ...(config.StopSignal === 'SIGTERM' ? [] : [`STOPSIGNAL is "${config.StopSignal}" and must be SIGTERM`]),
    ...('/data' in config.Volumes ? [] : ['VOLUME must name /data']),
    ...(check.length > 1 && check[0] === 'CMD'
      ? []
      : ['HEALTHCHECK must be CMD with a list of words: the image has no shell']),
    ...(config.Entrypoint.length > 0 ? [] : ['ENTRYPOINT must be a list of words: the image has no shell']),
    ...(config.Cmd.join(' ') === 'serve' ? [] : ['CMD must be ["serve"]']),
    ...(config.Env.includes('DATA_DIR=/data') ? [] : ['ENV must set DATA_DIR=/data']),
  ];
}

/** Every instruction that the image depends on, left out, and some that are wrong. */
export const PLANTS: readonly { what: string; plant: (containerfile: string) => string }[] = [
  ...['USER', 'STOPSIGNAL', 'VOLUME', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD', 'ENV'].map((instruction) => ({
    what: `without ${instruction}`,
    plant: (text: string) => text.replace(new RegExp(`^${instruction} .*\\n`, 'm'), ''),
  })),
  { what: 'as root', plant: (text) => text.replace(/^USER .*$/m, 'USER root') },
  {
    what: 'with a health check for a shell',
    plant: (text) => text.replace(/^(HEALTHCHECK .*)CMD .*$/m, '$1CMD node /app/healthcheck.js'),
  },
];
