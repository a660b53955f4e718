/**
 * Makes the fixture of this version, which upgrade.test.ts of every later version opens: what a server of each kind left, and what it said of it.
 *
 *   node test/upgrade/make-fixture.ts NAME     makes fixtures/NAME.tar.gz and fixtures/NAME.json; NAME is the contract's version
 *
 * To be run once for each release that changes a database, before the first migration on top of it. What is released stays as it is: a fixture that is
 * there is never made again, because one of a later build proves nothing of the version that it is named after. upgrade.test.ts has the SHA-256 of each.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FOLDER_FILES, recordFolder } from './record-folder.ts';
import { NETWORK_FILES, recordNetwork } from './record-network.ts';

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error('node test/upgrade/make-fixture.ts NAME');
const target = path.join(import.meta.dirname, 'fixtures', name);
for (const file of [`${target}.tar.gz`, `${target}.json`])
  if (existsSync(file))
    throw new Error(`${file} is there: the fixture of a version is made once, by that version. Name the present one.`);
const work = mkdtempSync(path.join(tmpdir(), 'txledger-fixture-'));
const [folder, network] = [path.join(work, 'folder'), path.join(work, 'network')];
mkdirSync(network);
const gateway = await recordNetwork(network);
const names = [...FOLDER_FILES.map((file) => `folder/${file}`), ...NETWORK_FILES.map((file) => `network/${file}`)];
const pack = (): void =>
  void execFileSync('tar', ['czf', `${target}.tar.gz`, '--owner=0', '--group=0', '-C', work, ...names]);
mkdirSync(path.dirname(target), { recursive: true });
const server = await recordFolder(folder, pack);
writeFileSync(`${target}.json`, `${JSON.stringify({ server, gateway })}\n`);
rmSync(work, { recursive: true });
