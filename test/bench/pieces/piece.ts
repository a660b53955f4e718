/** What a frame of a processor profile is part of, in words of the product. */

export interface Frame {
  functionName: string;
  /** Of the module; '' for what is native. */
  url: string;
}

/** Nothing runs meanwhile: the processor is free for others. */
const WAITS = /^\(idle\)$|^f(data)?sync(Sync)?$/;

/** The first that holds. Of each frame `url function`; what V8 attributes to a native function has no url. */
const PIECES: readonly (readonly [RegExp, string])[] = [
  [/sodium-native|internal\/crypto\/(sig|keys)|ed25519/, 'signature'],
  [/internal\/crypto\/|^ hash$|bytes\.ts sha256|sha256\.ts/, 'SHA-256'],
  [/^ \(garbage collector\)$/, 'garbage collection on the thread'],
  [/^ (write|shutdown|read|close)\w*$|^ writev$/, 'system calls on sockets and files'],
  [
    /^ (postMessage|receiveMessage\w*)$|birpc|threads\/(link|packed-\w+)\.ts|internal\/(worker|per_context\/messageport|event_target)/,
    'between threads',
  ],
  // It waits for the disk inside SQLite, which a profile cannot tell from work.
  [/ (commitWriting|runCommit)$/, 'COMMIT, its wait for the disk included'],
  [/better-sqlite3|\/store\//, 'SQLite and the store'],
  [/node_modules\/(express|router|path-to-regexp|debug|parseurl|send|encodeurl|finalhandler)\//, 'Express and router'],
  [
    /node_modules\/(ajv|ajv-\w+|express-openapi-validator|fast-uri)\/|^\S* validate\d+$|contract\/|http\/validation\.ts/,
    'validation by the contract',
  ],
  [/prom-client|\/metrics/, 'metrics'],
  [/access-log\.ts|request-log\.ts|app\/(logging|plain-line|text-line)\.ts|node_modules\/pino/, 'the log line'],
  [/strict-json\.ts/, 'strict JSON'],
  [/\/statements\//, 'index of statements'],
  [/\/search\//, 'index of searches'],
  [/rate-limit\.ts|http\/connections\/|access\/token/, 'limits and tokens'],
  [/\/server\/http\//, 'the pipeline of a request'],
  [/\/server\/ledger\//, "the ledger's rules"],
  [/\/server\/gateway\//, "the gateway's rules"],
  [/\/server\/engine\//, 'making and encoding blocks'],
  [/\/server\/app\//, 'the process around it'],
  [/^node:|^wasm/, 'http, streams and event loop of Node.js'],
  [/^ RegExp: /, 'regular expressions'],
];
/** Native functions, compilation, and what runs outside JavaScript. */
export const OTHER = 'native, not attributed';

/** @returns undefined while the thread waits. */
export function pieceOf({ functionName, url }: Frame): string | undefined {
  if (WAITS.test(functionName)) return undefined;
  const text = `${url} ${functionName}`;
  return PIECES.find(([of]) => of.test(text))?.[1] ?? OTHER;
}
