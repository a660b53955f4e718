/** The files that the server reads at run time, and those of the package for people. */
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { GUIDES, servedFiles } from '../../server/http/docs/guides.ts';
import { ROOT } from '../steps.ts';
import { DIST, SERVER, SHARE } from './places.ts';

const FOLDERS = ['generated/explorer', 'server/http/docs/assets', 'spec/workflows'];
const GENERATED = ['openapi.json', 'openapi.yaml', 'openapi.client.json', 'changelog.atom', 'llms.txt'].map(
  (name) => `generated/${name}`,
);

export function copyReadFiles(): void {
  for (const folder of FOLDERS) cpSync(path.join(ROOT, folder), path.join(SHARE, folder), { recursive: true });
  for (const file of [
    ...GENERATED,
    ...GUIDES.map((guide) => guide.file),
    ...servedFiles().map((served) => served.file),
  ])
    copy(path.join(ROOT, file), path.join(SHARE, file));
  copy(path.join(ROOT, 'LICENSE'), path.join(DIST, 'LICENSE'));
  copy(path.join(SERVER, 'README.md'), path.join(DIST, 'README.md'));
  for (const name of ['node-version.js', 'server-names.js'])
    copy(path.join(SERVER, 'cli', name), path.join(DIST, 'bin', name));
  copy(path.join(SERVER, 'cli/packed.js'), path.join(DIST, 'bin/txledger.js'));
}

function copy(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  copyFileSync(from, to);
}
