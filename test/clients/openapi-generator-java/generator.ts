import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../support/command.ts';
import type { Generator, Workplace } from '../support/generator.ts';
import { EXPECTED, generate, OPEN_ANSWERS, VERSION } from '../support/openapi-generator.ts';

const SOURCES = path.join('generated', 'src', 'main', 'java');
const OPTIONS = [
  'openApiNullable=false',
  'hideGenerationTimestamp=true',
  'invokerPackage=ledger',
  'apiPackage=ledger.api',
  'modelPackage=ledger.model',
];

const classPath = async ({ tools }: Workplace): Promise<string> =>
  path.join(await tools.jars('openapi-generator-java'), '*');

export const generator: Generator = {
  name: `openapi-generator ${VERSION} java (native, Jackson)`,
  // The whole contract does not compile: for a body that is an object or an array (POST /rpc) it writes `List<RpcBatchedCall>.class`.
  contract: 'openapi.client.json',
  // serial: its serializers have no serialVersionUID. deprecation: it calls two methods that Jackson has deprecated.
  strictness: 'javac -Xlint:all,-serial,-deprecation -Werror',
  expected: EXPECTED,
  generate: (place) => generate(place, 'java', [...OPTIONS, OPEN_ANSWERS], ['--library', 'native']),
  async compile(place) {
    const { folder } = place;
    const generated = (await readdir(path.join(folder, SOURCES), { recursive: true }))
      .filter((file) => file.endsWith('.java'))
      .map((file) => path.join(SOURCES, file));
    const own = ['Main.java', 'Transfer.java'].map((file) => path.join(import.meta.dirname, file));
    await run({
      program: 'javac',
      args: [
        '-Xlint:all,-serial,-deprecation',
        '-Werror',
        '-cp',
        await classPath(place),
        '-d',
        'classes',
        ...generated,
        ...own,
      ],
      folder,
    });
    return { complaints: [] };
  },
  async job(place) {
    return run({
      program: 'java',
      args: ['-cp', `classes${path.delimiter}${await classPath(place)}`, 'Main', place.developmentFile],
      folder: place.folder,
    });
  },
};
