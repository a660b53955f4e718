/** The printed lines about a backup. @module */
import type { Manifest } from '../app/backup/manifest.ts';

export function withKeys(manifest: Manifest): (readonly [name: string, value: string])[] {
  const { chainId, engine, takenAt, state, files, keys } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    ['chain', `${chainId}, ${engine} engine`],
    ['taken at', takenAt],
    ['height', `${state.height}${state.blockTime === undefined ? '' : `, block time ${state.blockTime}`}`],
    ...(state.blockHash === undefined ? [] : [['block hash', state.blockHash] as const]),
    ['files', `${files.length}, ${bytes} bytes`],
    [
      'keys',
      keys.missing.length === 0 ? keys.included.join(', ') || 'none needed' : `not in it: ${keys.missing.join(', ')}`,
    ],
  ];
}
